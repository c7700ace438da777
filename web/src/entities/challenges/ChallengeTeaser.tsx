import { Button } from '@mantine/core';
import { type ChallengeDetails, distanceInMeters, type Position } from '@wayquest/contracts';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { useCommonTranslations } from '../../shared/i18n/common.ts';
import { useKnownPosition } from '../../shared/ui/use-position.ts';
import classes from './ChallengeTeaser.module.css';
import { phaseSentence } from './dates.ts';
import { formatDistance } from './location.ts';
import { ChallengePicture } from './pictures/ChallengePicture.tsx';
import type { Look } from './pictures/variation.ts';
import { areaSentence, textsOf } from './texts.ts';
import { useChallengeTranslations } from './translations.ts';

interface Props {
  challenge: ChallengeDetails;
  /** The person's position, if this page got it; otherwise as the browser allows. */
  from?: Position | null;
  /** A row shows little text beside other rows; a tile shows a picture. */
  shape?: 'row' | 'tile';
  onOpen?: () => void;
  /** How its drawing looks in this list. */
  look?: Look | undefined;
  /** With it, a button to join. */
  onJoin?: () => void;
}

/** A challenge in a few words, as one of several on a page; the whole teaser is a link. */
export function ChallengeTeaser({ challenge, from, shape = 'row', onOpen, look, onJoin }: Props) {
  const t = useChallengeTranslations();
  const common = useCommonTranslations();
  const titleId = useId();
  const { id, city, points, position, area } = challenge;
  const { name, lang } = textsOf(challenge);
  const known = useKnownPosition();
  const here = from ?? known;
  const distance = here && position && !area && formatDistance(distanceInMeters(here, position));
  return (
    <article className={classes.teaser} data-shape={shape}>
      <div className={classes.picture}>
        <ChallengePicture challenge={challenge} look={look} />
      </div>
      <div className={classes.words}>
        <h3 id={titleId}>
          <Link to={`/challenges/${id}`} onClick={onOpen} lang={lang}>
            {name}
          </Link>
        </h3>
        <p>
          {[phaseSentence(challenge), areaSentence(challenge) ?? city, distance].filter(Boolean).join(' · ')}
        </p>
      </div>
      <span className={classes.points}>{common('points', { count: points })}</span>
      {onJoin && (
        <Button className={classes.join ?? ''} variant="default" aria-describedby={titleId} onClick={onJoin}>
          {t('join')}
        </Button>
      )}
    </article>
  );
}
