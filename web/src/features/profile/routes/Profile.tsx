import '@mantine/core/styles/Input.layer.css';
import { Button } from '@mantine/core';
import { IconSettings } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectUser } from '../../../entities/auth/slice.ts';
import type { CompletionResult } from '../../../entities/participations/slice.ts';
import { Page } from '../../../shared/ui/Page.tsx';
import { ProfileCard } from '../components/ProfileCard.tsx';
import { ProfileForm } from '../components/ProfileForm.tsx';
import { useTranslations } from '../translations.ts';

interface Props {
  /** The challenge that was just completed, shown beside the points. */
  celebration: CompletionResult | null;
  children: ReactNode;
}

/** The person's profile, and below it their other settings. */
export function Profile({ celebration, children }: Props) {
  const t = useTranslations();
  const user = useSelector(selectUser);
  if (!user) return null;
  return (
    <Page width="medium">
      <ProfileCard user={user} celebration={celebration} />
      <Button
        component={Link}
        to="/settings"
        variant="default"
        my={20}
        leftSection={<IconSettings size={18} aria-hidden />}
      >
        {t('settings')}
      </Button>
      <ProfileForm user={user} />
      {children}
    </Page>
  );
}
