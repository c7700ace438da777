import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import { ChallengeTeaser } from '../../../entities/challenges/ChallengeTeaser.tsx';
import { mapUrl } from '../../../entities/challenges/location.ts';
import { useOpenChallenges } from '../../../entities/challenges/open-challenges.ts';
import { SmallMap } from '../../../shared/map/SmallMap.tsx';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { useKnownPosition } from '../../../shared/ui/use-position.ts';
import { useBoardTranslations } from '../board-translations.ts';
import classes from './Board.module.css';
import { VisitorSkeleton } from './BoardSkeleton.tsx';

/** Close enough to show what is around. */
const zoom = 14;

const shown = 3;

/** Current challenges for visitors: near them, if their browser may share the position already, or the newest. */
export default function VisitorBoard() {
  const t = useBoardTranslations();
  const position = useKnownPosition();
  const near = useOpenChallenges(position ? { position } : undefined, shown);
  const isNoneNear = position === null || near.data?.length === 0;
  const newest = useOpenChallenges(isNoneNear ? null : undefined, shown);
  const { error, data, refetch } = isNoneNear ? newest : near;
  const spots = useMemo(
    () =>
      (data ?? []).flatMap(({ id, name, position }) =>
        position ? [{ id, name, position, to: mapUrl(position, zoom, id) }] : [],
      ),
    [data],
  );
  if (!data) return error ? <Failure onRetry={refetch}>{error}</Failure> : <VisitorSkeleton />;
  if (data.length === 0) return <Empty>{t('noneOpen')}</Empty>;
  return (
    <>
      {position && isNoneNear && <p>{t('elsewhere')}</p>}
      <ul className={classes.tiles}>
        {data.map((challenge) => (
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
          <SmallMap label={t('onTheMap')} spots={spots} toSeveral={mapUrl} />
        </div>
      )}
    </>
  );
}
