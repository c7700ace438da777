import type { ChallengeDetails } from '@wayquest/contracts';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { type LinesState, selectOwnLine } from '../../../entities/challenge-lines/selectors.ts';
import { dateRange } from '../../../entities/challenges/dates.ts';
import { PlacePicture } from '../../../entities/challenges/pictures/PlacePicture.tsx';
import { useChallengeWords } from '../../../entities/challenges/words.ts';
import { useCommonWords } from '../../../shared/words/common.ts';
import classes from './ChallengeCard.module.css';

/** A challenge at a glance; all of it leads to its page. */
export function ChallengeCard({ challenge }: { challenge: ChallengeDetails }) {
  const t = useChallengeWords();
  const common = useCommonWords();
  const { id, name, city, state, difficulty, points } = challenge;
  const line = useSelector((lines: LinesState) => selectOwnLine(lines, id));
  return (
    <article className={classes.card}>
      <div className={classes.picture}>
        <PlacePicture challenge={challenge} />
        {line && <span className={classes.part}>{t(line.completed ? 'completed' : 'joined')}</span>}
        <span className={classes.points}>{common('points', { count: points })}</span>
      </div>
      <div className={classes.words}>
        <h3 className={classes.name}>
          <Link to={`/challenges/${id}`}>{name}</Link>
        </h3>
        <p>{dateRange(challenge)}</p>
        <p>
          {[city, state].filter(Boolean).join(', ')}
          <span className={classes.difficulty} data-difficulty={difficulty}>
            {t(difficulty)}
          </span>
        </p>
      </div>
    </article>
  );
}
