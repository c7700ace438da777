import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { Navigate, useLocation, useNavigate } from 'react-router-dom';
import { useTranslations } from '../../../entities/auth/translations.ts';
import { nameOf } from '../../../entities/challenges/texts.ts';
import { joinAnnounced } from '../../../entities/participations/joining.ts';
import { problemCodeOf, sentenceOf } from '../../../shared/lib/errors.ts';
import { browserIntendedJoin, type Joinable } from '../../../shared/lib/intended-join.ts';
import { returnPath } from '../../../shared/lib/return-to.ts';
import { useSaga } from '../../../shared/lib/use-mutation.ts';
import { useResource } from '../../../shared/lib/use-resource.ts';
import { noticed } from '../../../shared/notice/notice-slice.ts';
import classes from './AuthCard.module.css';

/** Says what the person is going to join, as it was chosen in this tab before, and lets them decide otherwise. */
export function IntendedJoinNote({ by }: { by: 'signup' | 'login' }) {
  const t = useTranslations();
  const [joinable, setJoinable] = useState(browserIntendedJoin.read);
  const challenge = useResource(
    'getChallenge',
    typeof joinable === 'number' ? { params: { id: String(joinable) } } : null,
  );
  const suggestion = useResource(
    'getSuggestion',
    typeof joinable === 'string' ? { params: { id: joinable }, query: {} } : null,
  );
  if (joinable === undefined) return null;
  const chosen = challenge.data ?? suggestion.data;
  const sentence = t(by === 'signup' ? 'willJoinBySignup' : 'willJoinByLogin', {
    name: chosen ? nameOf(chosen) : '…',
  });
  const forget = () => {
    browserIntendedJoin.clear();
    setJoinable(undefined);
  };
  return (
    <div className={classes.intended}>
      <p>{challenge.error ?? suggestion.error ?? sentence}</p>
      <Button variant="subtle" px={0} onClick={forget}>
        {t('doNotJoin')}
      </Button>
    </div>
  );
}

const goneCodes = new Set(['challenge-not-found', 'suggestion-not-found']);

function Join({ joinable }: { joinable: Joinable }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const { state } = useLocation();
  const { send } = useSaga(joinAnnounced);
  const isSent = useRef(false);
  useEffect(() => {
    if (isSent.current) return;
    isSent.current = true;
    browserIntendedJoin.clear();
    const open = (path: string) => navigate(path, { replace: true });
    send(
      joinable,
      ({ challengeId }) => open(`/challenges/${challengeId}`),
      (error) => {
        const isGone = goneCodes.has(problemCodeOf(error) ?? '');
        dispatch(noticed({ text: isGone ? t('goneBeforeJoin') : sentenceOf(error), tone: 'bad' }));
        open(isGone ? '/challenges' : returnPath(state));
      },
    );
  });
  return null;
}

/**
 * Leads somebody who has logged in to where they came from; or joins what they wanted to join before and leads them there, or says why
 * that is not possible.
 */
export default function Arrival() {
  const { state } = useLocation();
  // Not read again: joining it forgets it.
  const [joinable] = useState(browserIntendedJoin.read);
  return joinable === undefined ? <Navigate to={returnPath(state)} replace /> : <Join joinable={joinable} />;
}
