import type { ChallengeDetails } from '@wayquest/contracts';
import { Link } from 'react-router-dom';
import { useCommonWords } from '../../shared/words/common.ts';
import classes from './ChallengeTeaser.module.css';
import { phaseSentence } from './dates.ts';
import { PlacePicture } from './pictures/PlacePicture.tsx';

interface Props {
  challenge: ChallengeDetails;
  /** A row holds little beside others; a tile has a picture to look at. */
  shape?: 'row' | 'tile';
  onOpen?: () => void;
}

/** A challenge in a few words, where it is one of several things on a page; all of it leads to its page. */
export function ChallengeTeaser({ challenge, shape = 'row', onOpen }: Props) {
  const common = useCommonWords();
  const { id, name, city, points } = challenge;
  return (
    <article className={classes.teaser} data-shape={shape}>
      <div className={classes.picture}>
        <PlacePicture challenge={challenge} />
      </div>
      <div className={classes.words}>
        <h3>
          <Link to={`/challenges/${id}`} onClick={onOpen}>
            {name}
          </Link>
        </h3>
        <p>{[phaseSentence(challenge), city].filter(Boolean).join(' · ')}</p>
      </div>
      <span className={classes.points}>{common('points', { count: points })}</span>
    </article>
  );
}
