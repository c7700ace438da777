import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/PasswordInput.layer.css';
import { Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Page, PageTitle } from '../../../shared/ui/Page.tsx';
import classes from './AuthCard.module.css';

interface Props {
  title: string;
  tab: string;
  lead: string;
  children: ReactNode;
  /** Link to the other form. */
  footerLink: ReactNode;
}

export function AuthCard({ title, tab, lead, children, footerLink }: Props) {
  return (
    <Page width="narrow">
      <Paper className={classes.card} radius="lg">
        <PageTitle tab={tab}>{title}</PageTitle>
        <Text c="dimmed" mt={8} mb={24}>
          {lead}
        </Text>
        {children}
      </Paper>
      <p className={classes.other}>{footerLink}</p>
    </Page>
  );
}
