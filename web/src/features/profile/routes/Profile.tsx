import '@mantine/core/styles/Input.layer.css';
import type { ReactNode } from 'react';
import { useSelector } from 'react-redux';
import { selectUser } from '../../../entities/auth/selectors.ts';
import type { Collected } from '../../../entities/challenge-lines/slice.ts';
import { Page } from '../../../shared/ui/Page.tsx';
import { ProfileCard } from '../components/ProfileCard.tsx';
import { ProfileForm } from '../components/ProfileForm.tsx';

interface Props {
  /** What was just completed, told beside the points. */
  celebration: Collected | null;
  children: ReactNode;
}

/** Who the person is, and below it what else is theirs to set. */
export function Profile({ celebration, children }: Props) {
  const user = useSelector(selectUser);
  if (!user) return null;
  return (
    <Page width="medium">
      <ProfileCard user={user} celebration={celebration} />
      <ProfileForm user={user} />
      {children}
    </Page>
  );
}
