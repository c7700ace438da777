import type { Challenge } from '@wayquest/contracts';
import { useEffect, useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { dateRange, phaseOf, phaseSentence } from '../../../entities/challenges/dates.ts';
import { useChallengeTranslations } from '../../../entities/challenges/translations.ts';
import { JoinButton } from '../../../entities/participations/JoinButton.tsx';
import {
  type ParticipationsState,
  selectActionError,
  selectOwnParticipation,
} from '../../../entities/participations/selectors.ts';
import { actionErrorCleared } from '../../../entities/participations/slice.ts';
import { FormError } from '../../../shared/ui/FormError.tsx';
import { useTranslations } from '../translations.ts';
import classes from './ChallengeWindow.module.css';
import { WindowFrame } from './WindowFrame.tsx';

interface Props {
  challenge: Challenge;
  /** The path that shows this window again. */
  here: string;
  onClose(): void;
}

/** A challenge on the map: its facts, its status, and the button to join. */
export function ChallengeWindow({ challenge, here, onClose }: Props) {
  const t = useTranslations();
  const ofChallenge = useChallengeTranslations();
  const participation = useSelector((state: ParticipationsState) =>
    selectOwnParticipation(state, challenge.id),
  );
  const error = useSelector(selectActionError);
  const dispatch = useDispatch();
  useEffect(() => {
    dispatch(actionErrorCleared());
  }, [dispatch]);
  const notice = useRef<HTMLParagraphElement>(null);
  const joined = participation !== undefined;
  useEffect(() => {
    // The button that was pressed is gone.
    if (joined && document.activeElement === document.body) notice.current?.focus({ preventScroll: true });
  }, [joined]);
  const status = {
    upcoming: phaseSentence(challenge),
    open: t('ongoing'),
    ended: t('endedMark'),
  }[phaseOf(challenge)];
  return (
    <WindowFrame title={challenge.name} onClose={onClose}>
      <dl className={classes.facts}>
        <dt>{ofChallenge('difficulty')}</dt>
        <dd>{ofChallenge(challenge.difficulty)}</dd>
        <dt>{t('status')}</dt>
        <dd>{participation?.completed ? ofChallenge('completed') : status}</dd>
        <dt>{t('dates')}</dt>
        <dd>{dateRange(challenge)}</dd>
      </dl>
      {participation ? (
        <p ref={notice} tabIndex={-1}>
          {t(participation.completed ? 'pointsAreYours' : 'youAreIn')}
        </p>
      ) : (
        <JoinButton challenge={challenge} from={here} />
      )}
      <FormError>{error}</FormError>
      <Link to={`/challenges/${challenge.id}`} className={classes.more}>
        {t('lookAt')}
      </Link>
    </WindowFrame>
  );
}
