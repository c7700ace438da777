import { Button } from '@mantine/core';
import type { Challenge, Position } from '@wayquest/contracts';
import { useEffect, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { dateRange, phaseOf, phaseSentence } from '../../../entities/challenges/dates.ts';
import { ChallengePhoto } from '../../../entities/challenges/pictures/ChallengePhoto.tsx';
import { nameOf } from '../../../entities/challenges/texts.ts';
import { useChallengeTranslations } from '../../../entities/challenges/translations.ts';
import { JoinButton } from '../../../entities/participations/JoinButton.tsx';
import {
  actionErrorCleared,
  type ParticipationsState,
  selectActionError,
  selectOwnParticipation,
} from '../../../entities/participations/slice.ts';
import { FormError } from '../../../shared/ui/Message.tsx';
import { useFoundAddress } from '../found-address.ts';
import type { PlaceFinder } from '../map/map.ts';
import { useTranslations } from '../translations.ts';
import type { Selection } from '../use-selection.ts';
import challengeClasses from './ChallengeWindow.module.css';
import { CreateForm } from './CreateForm.tsx';
import locationClasses from './LocationWindow.module.css';
import placePhotoClasses from './PlacePhoto.module.css';
import { PlaceWindow } from './PlaceWindow.tsx';
import { WindowFrame } from './WindowFrame.tsx';

interface LocationWindowProps {
  position: Position;
  finder: PlaceFinder;
  /** The name of the place that was searched for here. */
  foundName: string | undefined;
  /** The path that shows this position again. */
  returnPath: string;
  onCenter(): void;
  onClose(): void;
  onCreated(): void;
}

const emptyAddress = { streetAddress: '', city: '', state: '', zip: '' };

/**
 * The window of an empty position: its address, and the form for a challenge there. That of a place that was searched for is small
 * until the form is wanted.
 */
function LocationWindow({
  position,
  finder,
  foundName,
  returnPath,
  onCenter,
  onClose,
  onCreated,
}: LocationWindowProps) {
  const t = useTranslations();
  const [isFolded, setFolded] = useState(foundName !== undefined);
  const form = useRef<HTMLDivElement>(null);
  const wasFolded = useRef(isFolded);
  useEffect(() => {
    // The button that was pressed is hidden.
    if (wasFolded.current && !isFolded) form.current?.querySelector('input')?.focus();
    wasFolded.current = isFolded;
  }, [isFolded]);
  const lookup = useFoundAddress(finder, position);
  const { streetAddress, city, state, zip } = lookup.state === 'found' ? lookup.address : emptyAddress;
  return (
    <WindowFrame title={(isFolded && foundName) || t('createTitle')} onClose={onClose}>
      {!isFolded && (
        <div className={locationClasses.address}>
          {lookup.state === 'loading' && <p>{t('lookingForAddress')}</p>}
          {lookup.state === 'found' && <p>{lookup.address.label}</p>}
          {lookup.state === 'failed' && (
            <FormError>{t('addressFailed', { status: lookup.status })}</FormError>
          )}
        </div>
      )}
      <div className={locationClasses.actions}>
        <Button variant="default" onClick={onCenter}>
          {t('setCenter')}
        </Button>
        {/* Not removed: the map takes a click on an element that is gone for one on itself. */}
        <Button display={isFolded ? 'block' : 'none'} onClick={() => setFolded(false)}>
          {t('createHere')}
        </Button>
      </div>
      {!isFolded && (
        <div ref={form}>
          <CreateForm
            spot={{ position, locationName: streetAddress, streetAddress, city, state, zip }}
            address={lookup.state === 'loading' ? 'loading' : city ? 'known' : 'manual'}
            returnPath={returnPath}
            onCreated={onCreated}
          />
        </div>
      )}
    </WindowFrame>
  );
}

interface ChallengeWindowProps {
  challenge: Challenge;
  onClose(): void;
}

/** A challenge on the map: its facts, its status, and the button to join. */
function ChallengeWindow({ challenge, onClose }: ChallengeWindowProps) {
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
    <WindowFrame title={nameOf(challenge)} onClose={onClose}>
      {challenge.picture && (
        <div className={placePhotoClasses.photo}>
          <ChallengePhoto challenge={challenge} />
        </div>
      )}
      <dl className={challengeClasses.facts}>
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
        <JoinButton challenge={challenge} />
      )}
      <FormError>{error}</FormError>
      <Link to={`/challenges/${challenge.id}`} className={challengeClasses.more}>
        {t('lookAt')}
      </Link>
    </WindowFrame>
  );
}

interface Props {
  selection: Selection;
  finder: PlaceFinder;
  /** The name of the place that was searched for at the position. */
  foundName: string | undefined;
  /** The path that shows this window again. */
  returnPath: string;
  onCenter(): void;
  onClose(): void;
  onCreated(): void;
}

/** The window of the selected pin or position. */
export default function SelectedWindow({
  selection,
  finder,
  foundName,
  returnPath,
  onCenter,
  onClose,
  onCreated,
}: Props) {
  const common = { finder, returnPath, onClose, onCreated };
  switch (selection.kind) {
    case 'challenge':
      return <ChallengeWindow challenge={selection.challenge} onClose={onClose} />;
    case 'place':
      return <PlaceWindow place={selection.place} {...common} />;
    case 'spot':
      return (
        <LocationWindow position={selection.position} foundName={foundName} onCenter={onCenter} {...common} />
      );
  }
}
