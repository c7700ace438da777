import '@mantine/core/styles/Badge.layer.css';
import { Skeleton, VisuallyHidden } from '@mantine/core';
import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link, useParams } from 'react-router-dom';
import { selectChallenge, selectOneError, selectOneState } from '../../../entities/challenges/selectors.ts';
import { challengeRequested, type challengesSlice } from '../../../entities/challenges/slice.ts';
import { Failure } from '../../../shared/ui/Message.tsx';
import { Page } from '../../../shared/ui/Page.tsx';
import { PageTitle } from '../../../shared/ui/PageTitle.tsx';
import { Pending } from '../../../shared/ui/Pending.tsx';
import { ChallengeView } from '../components/ChallengeView.tsx';
import { useWords } from '../words.ts';

type State = Parameters<typeof challengesSlice.selectSlice>[0];

export default function ChallengeDetail() {
  const t = useWords();
  const dispatch = useDispatch();
  const id = Number(useParams().id);
  const challenge = useSelector((state: State) => selectChallenge(state, id));
  const state = useSelector(selectOneState);
  const error = useSelector(selectOneError);
  useEffect(() => {
    dispatch(challengeRequested(id));
  }, [dispatch, id]);
  if (challenge) {
    return (
      <Page key={id}>
        <ChallengeView challenge={challenge} />
      </Page>
    );
  }
  if (state !== 'failed') {
    return (
      <Page>
        <VisuallyHidden component="h1">{t('one')}</VisuallyHidden>
        <Pending what={t('theChallenge')}>
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
