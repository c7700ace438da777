import '@mantine/core/styles/Input.layer.css';
import { Button, Paper, Skeleton, Text } from '@mantine/core';
import { type ComponentType, Suspense, useEffect, useId, useMemo, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useLocation } from 'react-router-dom';
import { useFormDraft } from '../../../entities/auth/form-draft.ts';
import { selectAuthStatus } from '../../../entities/auth/slice.ts';
import { looksIn } from '../../../entities/challenges/pictures/PlacePicture.tsx';
import type { PlacePickerProps } from '../../../entities/challenges/place-picker.ts';
import { selectListState } from '../../../entities/challenges/slice.ts';
import {
  participationsRequested,
  selectParticipationsError,
  selectParticipationsState,
  selectUncompleted,
} from '../../../entities/participations/slice.ts';
import { lazyComponent } from '../../../shared/lib/lazy-loading.ts';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { Page, PageTitle } from '../../../shared/ui/Page.tsx';
import { Pending } from '../../../shared/ui/Pending.tsx';
import { useHashScroll } from '../../../shared/ui/scroll-position.ts';
import { AllChallenges } from '../components/AllChallenges.tsx';
import { CardGrid, CardGridSkeleton, ChallengeCard } from '../components/ChallengeCard.tsx';
import newChallengeClasses from '../components/NewChallenge.module.css';
import sectionClasses from '../components/Section.module.css';
import { newChallengeDraft } from '../form.ts';
import { useTranslations } from '../translations.ts';
import classes from './Challenges.module.css';

const NewChallengeForm = lazyComponent(() => import('../components/NewChallengeForm.tsx'));

interface Props {
  /** The map on which the place of a new challenge is chosen. */
  PlacePicker: ComponentType<PlacePickerProps>;
}

interface NewChallengeProps extends Props {
  open: boolean;
  onToggle(): void;
}

/** The section with the form for a new challenge, folded until it is wanted. */
function NewChallenge({ open, onToggle, PlacePicker }: NewChallengeProps) {
  const t = useTranslations();
  const formId = useId();
  return (
    <section
      className={newChallengeClasses.section}
      id="add-a-challenge"
      aria-labelledby="add-a-challenge-title"
    >
      <Paper className={newChallengeClasses.card} radius="lg">
        <div className={newChallengeClasses.head}>
          <div>
            <h2 id="add-a-challenge-title">{t('add')}</h2>
            <Text c="dimmed">{t('addLead')}</Text>
          </div>
          <Button variant="default" aria-expanded={open} aria-controls={formId} onClick={onToggle}>
            {t(open ? 'hideForm' : 'showForm')}
          </Button>
        </div>
        <div id={formId}>
          {open && (
            <Suspense
              fallback={
                <Pending>
                  <Skeleton height={640} mt={24} />
                </Pending>
              }
            >
              <NewChallengeForm PlacePicker={PlacePicker} />
            </Suspense>
          )}
        </div>
      </Paper>
    </section>
  );
}

/** How many are shown at first, so that the other challenges follow soon. */
const initialCount = 6;

function List() {
  const t = useTranslations();
  const dispatch = useDispatch();
  const participations = useSelector(selectUncompleted);
  const state = useSelector(selectParticipationsState);
  const error = useSelector(selectParticipationsError);
  const [all, setAll] = useState(false);
  const looks = useMemo(() => looksIn(participations.map(({ challenge }) => challenge)), [participations]);
  if (state === 'failed')
    return <Failure onRetry={() => dispatch(participationsRequested())}>{error}</Failure>;
  if (state !== 'ready') return <CardGridSkeleton count={3} />;
  if (participations.length === 0) return <Empty>{t('noneOfYours')}</Empty>;
  return (
    <>
      <CardGrid label={t('yours')}>
        {participations.slice(0, all ? participations.length : initialCount).map(({ id, challenge }) => (
          <li key={id}>
            <ChallengeCard challenge={challenge} look={looks.get(challenge.id)} />
          </li>
        ))}
      </CardGrid>
      {!all && participations.length > initialCount && (
        <Button className={sectionClasses.more ?? ''} variant="default" onClick={() => setAll(true)}>
          {t('allYours', { count: participations.length })}
        </Button>
      )}
    </>
  );
}

/** The person's participations that are not completed. */
function YourChallenges() {
  const t = useTranslations();
  const dispatch = useDispatch();
  useEffect(() => {
    dispatch(participationsRequested());
  }, [dispatch]);
  return (
    <section className={sectionClasses.section} id="your-challenges" aria-labelledby="your-challenges-title">
      <h2 id="your-challenges-title">{t('yours')}</h2>
      <List />
    </section>
  );
}

export function Challenges({ PlacePicker }: Props) {
  const t = useTranslations();
  const { hash } = useLocation();
  const status = useSelector(selectAuthStatus);
  const member = status === 'member';
  const list = useSelector(selectListState);
  const participations = useSelector(selectParticipationsState);
  const { read } = useFormDraft(newChallengeDraft);
  /** Whether the form is open; by default if the URL or a draft requires it. */
  const [chosen, setChosen] = useState<boolean>();
  const adding = chosen ?? (hash === '#add-a-challenge' || read() !== undefined);
  // Shown together: own challenges that are loaded later would move the list.
  const isShown =
    status === 'visitor' ||
    status === 'failed' ||
    (member && participations !== 'idle' && participations !== 'loading');
  useHashScroll(list === 'ready' && isShown);
  return (
    <Page>
      <div className={classes.head}>
        <div>
          <PageTitle>{t('title')}</PageTitle>
          <p className={classes.lead}>{t('lead')}</p>
        </div>
        {/* Who is likely a member finds them at once: coming later they would move the list. */}
        {(member || status === 'starting') && (
          <div className={classes.anchors}>
            <Button component="a" href="#your-challenges" variant="default">
              {t('yours')}
            </Button>
            <Button component="a" href="#add-a-challenge" onClick={() => setChosen(true)}>
              {t('add')}
            </Button>
          </div>
        )}
      </div>
      {!isShown && <CardGridSkeleton />}
      <div hidden={!isShown}>
        {member && <YourChallenges />}
        {member && (
          <NewChallenge open={adding} onToggle={() => setChosen(!adding)} PlacePicker={PlacePicker} />
        )}
        <AllChallenges isShown={isShown} />
      </div>
    </Page>
  );
}
