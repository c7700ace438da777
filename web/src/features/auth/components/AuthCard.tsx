import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/PasswordInput.layer.css';
import { Paper, Text } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useLocation } from 'react-router-dom';
import { mailPageOpened, selectMailStep } from '../../../entities/auth/slice.ts';
import { Page, PageTitle } from '../../../shared/ui/Page.tsx';
import classes from './AuthCard.module.css';

interface Props {
  title: string;
  tab: string;
  lead: ReactNode;
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

const focus = (element: HTMLElement | null) => element?.focus();

/** Replaces a form after success, takes its focus, and is announced to screen readers. */
export function SuccessPanel({ children }: { children: string }) {
  return (
    <Text ref={focus} tabIndex={-1} role="status" fw={600}>
      {children}
    </Text>
  );
}

/** Returns the state of account recovery, and the token of the link. */
export function useRecovery() {
  const dispatch = useDispatch();
  const { hash } = useLocation();
  useEffect(() => {
    dispatch(mailPageOpened());
  }, [dispatch]);
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
  return { ...useSelector(selectMailStep), token, dispatch };
}
