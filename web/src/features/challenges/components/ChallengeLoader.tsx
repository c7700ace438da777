import '@mantine/core/styles/Badge.layer.css';
import { Button, Skeleton, VisuallyHidden } from '@mantine/core';
import type { Challenge } from '@wayquest/contracts';
import { type ReactNode, useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import {
  challengeRequested,
  type challengesSlice,
  selectChallenge,
  selectDetailError,
  selectDetailState,
  selectIsGone,
} from '../../../entities/challenges/slice.ts';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { Page, PageTitle } from '../../../shared/ui/Page.tsx';
import { Pending } from '../../../shared/ui/Pending.tsx';
import { useTranslations } from '../translations.ts';

type State = Parameters<typeof challengesSlice.selectSlice>[0];

/** A challenge that was deleted, or never existed. */
function ChallengeNotFound() {
  const t = useTranslations();
  const action = (
    <Button component={Link} to="/challenges">
      {t('seeAll')}
    </Button>
  );
  return (
    <Page>
      <PageTitle mb={24} takesFocus>
        {t('gone')}
      </PageTitle>
      <Empty action={action}>{t('goneDescription')}</Empty>
    </Page>
  );
}

interface Props {
  id: number;
  children: (challenge: Challenge) => ReactNode;
}

/** A page about a challenge, once it is loaded. */
export function ChallengeLoader({ id, children }: Props) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const challenge = useSelector((state: State) => selectChallenge(state, id));
  const gone = useSelector((state: State) => selectIsGone(state, id));
  const state = useSelector(selectDetailState);
  const error = useSelector(selectDetailError);
  useEffect(() => {
    dispatch(challengeRequested(id));
  }, [dispatch, id]);
  if (gone) return <ChallengeNotFound />;
  if (challenge) return <Page key={id}>{children(challenge)}</Page>;
  if (state !== 'failed') {
    return (
      <Page>
        <VisuallyHidden component="h1">{t('one')}</VisuallyHidden>
        <Pending>
          <Skeleton height={280} radius="lg" mb={24} />
          <Skeleton height={36} width="60%" />
        </Pending>
      </Page>
    );
  }
  return (
    <Page>
      <PageTitle mb={24}>{t('one')}</PageTitle>
      <Failure
        onRetry={() => dispatch(challengeRequested(id))}
        action={<Link to="/challenges">{t('seeAll')}</Link>}
      >
        {error}
      </Failure>
    </Page>
  );
}
