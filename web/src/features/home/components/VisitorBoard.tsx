import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import { ChallengeTeaser } from '../../../entities/challenges/ChallengeTeaser.tsx';
import { mapStart } from '../../../entities/challenges/map-start.ts';
import { onMap } from '../../../entities/challenges/on-map.ts';
import { openChallenges } from '../../../entities/challenges/open-challenges.ts';
import { useAsked } from '../../../shared/lib/use-asked.ts';
import { SmallMap } from '../../../shared/map/SmallMap.tsx';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { useBoardWords } from '../board-words.ts';
import classes from './Board.module.css';
import { VisitorSkeleton } from './BoardSkeleton.tsx';

/** Near enough to see what else is there. */
const zoom = 14;

/** Real challenges to begin with: around the middle of the map. */
export default function VisitorBoard() {
  const t = useBoardWords();
  const { state, error, answer, again } = useAsked('open', (api) =>
    openChallenges(api, { position: mapStart }, 3),
  );
  const spots = useMemo(
    () =>
      (answer ?? []).flatMap(({ id, name, position }) =>
        position ? [{ id, name, position, to: onMap(position, zoom, id) }] : [],
      ),
    [answer],
  );
  if (state === 'failed') return <Failure onRetry={again}>{error}</Failure>;
  if (state !== 'ready') return <VisitorSkeleton />;
  if (!answer?.length) return <Empty>{t('noneOpen')}</Empty>;
  return (
    <>
      <ul className={classes.tiles}>
        {answer.map((challenge) => (
          <li key={challenge.id}>
            <ChallengeTeaser challenge={challenge} shape="tile" />
          </li>
        ))}
      </ul>
      <p className={classes.more}>
        <Link to="/challenges?phase=open">{t('seeAll')}</Link>
        <Link to="/explore">{t('openMap')}</Link>
      </p>
      {spots.length > 0 && (
        <div className={classes.map}>
          <SmallMap label={t('onTheMap')} spots={spots} toSeveral={onMap} />
        </div>
      )}
    </>
  );
}
