import type { Challenge } from '@wayquest/contracts';
import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import { ChallengeTeaser } from '../../../entities/challenges/ChallengeTeaser.tsx';
import { mapUrl } from '../../../entities/challenges/location.ts';
import { useOpenChallenges } from '../../../entities/challenges/open-challenges.ts';
import {
  looksWithSuggestions,
  SuggestionItem,
  useSuggestions,
} from '../../../entities/challenges/Suggestions.tsx';
import { nameOf } from '../../../entities/challenges/texts.ts';
import { useChallengeTranslations } from '../../../entities/challenges/translations.ts';
import { useSignUpToJoin } from '../../../shared/lib/intended-join.ts';
import { SmallMap } from '../../../shared/map/SmallMap.tsx';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { useKnownPosition } from '../../../shared/ui/use-position.ts';
import { useBoardTranslations } from '../board-translations.ts';
import classes from './Board.module.css';
import { VisitorSkeleton } from './BoardSkeleton.tsx';

/** Close enough to show what is around. */
const zoom = 14;

const shown = 3;

/**
 * Current challenges for visitors: near them, with suggestions where there are fewer than three, if their browser may share the position
 * already. The newest where there is none.
 */
export default function VisitorBoard() {
  const t = useBoardTranslations();
  const ofChallenge = useChallengeTranslations();
  const signUpToJoin = useSignUpToJoin();
  const teasers = (challenges: Challenge[], looks = looksWithSuggestions(challenges, [])) =>
    challenges.map((challenge) => {
      const { id } = challenge;
      const onJoin = () => signUpToJoin(id);
      return (
        <li key={id}>
          <ChallengeTeaser {...{ challenge, onJoin, look: looks.ofChallenge(id), shape: 'tile' }} />
        </li>
      );
    });
  const position = useKnownPosition();
  const near = useOpenChallenges(position ? { position } : undefined, shown);
  const isNoneNear = position === null || near.data?.length === 0;
  const newest = useOpenChallenges(isNoneNear ? null : undefined, shown);
  const { error, data, refetch } = isNoneNear ? newest : near;
  const spots = useMemo(
    () =>
      (data ?? []).flatMap((challenge) => {
        const { id, position } = challenge;
        return position ? [{ id, name: nameOf(challenge), position, to: mapUrl(position, zoom, id) }] : [];
      }),
    [data],
  );
  const missing = shown - (near.data?.length ?? shown);
  const { found, available, join } = useSuggestions(
    position && missing > 0 ? position : null,
    near.data ?? [],
  );
  const suggestions = available?.slice(0, missing) ?? [];
  const looks = looksWithSuggestions(near.data ?? [], suggestions);
  if (data && found.state === 'loading') return <VisitorSkeleton />;
  if (!data) return error ? <Failure onRetry={refetch}>{error}</Failure> : <VisitorSkeleton />;
  return (
    <>
      {isNoneNear && position && (
        <p>{suggestions.length > 0 ? ofChallenge('suggestionsDescription') : t('noneNearVisitor')}</p>
      )}
      {suggestions.length > 0 && (
        <ul className={classes.tiles}>
          {teasers(near.data ?? [], looks)}
          {suggestions.map((suggestion, index) => (
            <SuggestionItem
              key={suggestion.id}
              {...{ suggestion, index, from: position ?? null, shape: 'tile', joining: undefined }}
              look={looks.ofSuggestion(index)}
              onJoin={join}
            />
          ))}
        </ul>
      )}
      {isNoneNear && position && data.length > 0 && <p>{t('elsewhere')}</p>}
      {data.length === 0 && suggestions.length === 0 && <Empty>{t('noneOpen')}</Empty>}
      {data.length > 0 && (isNoneNear || suggestions.length === 0) && (
        <ul className={classes.tiles}>{teasers(data)}</ul>
      )}
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
