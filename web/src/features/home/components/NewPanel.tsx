import type { ChallengeDetails, Me } from '@wayquest/contracts';
import { Link } from 'react-router-dom';
import { ChallengeTeaser } from '../../../entities/challenges/ChallengeTeaser.tsx';
import { openChallenges, type Whereabouts } from '../../../entities/challenges/open-challenges.ts';
import { SuggestionsLater } from '../../../entities/challenges/SuggestionsLater.tsx';
import { useQuery } from '../../../shared/lib/use-query.ts';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { useKnownPosition } from '../../../shared/ui/use-known-position.ts';
import { useBoardTranslations } from '../board-translations.ts';
import classes from './Board.module.css';
import { RowsSkeleton } from './BoardSkeleton.tsx';
import { Panel } from './Panel.tsx';

interface Props {
  user: Me;
  /** The challenges that the person has joined. */
  joined: readonly ChallengeDetails[];
  isJoinedKnown: boolean;
}

/** Challenges of others: nearest to the person, new in their town, or new anywhere. */
export function NewPanel({ user, joined, isJoinedKnown }: Props) {
  const t = useBoardTranslations();
  const position = useKnownPosition();
  const where: Whereabouts = position ? { position } : user.city ? { town: user.city } : null;
  const joinedIds = new Set(joined.map(({ id }) => id));
  const { state, error, data, refetch } = useQuery(
    position === undefined || !isJoinedKnown ? null : JSON.stringify(where),
    (api) => openChallenges(api, where, 3, ({ id, creator }) => creator.id !== user.id && !joinedIds.has(id)),
  );
  const isReady = state === 'ready';
  const shown = data ?? [];
  return (
    <Panel title={t(where ? 'near' : 'newest')} more={{ to: '/challenges', label: t('findMore') }}>
      {state === 'failed' && <Failure onRetry={refetch}>{error}</Failure>}
      {state !== 'failed' && !isReady && <RowsSkeleton />}
      {isReady && shown.length === 0 && position && (
        <>
          <p className={classes.none}>{t('noneNear')}</p>
          <SuggestionsLater at={position} from={position} shown={joined} />
        </>
      )}
      {isReady && shown.length === 0 && !position && (
        <Empty action={<Link to="/challenges#add-a-challenge">{t('add')}</Link>}>
          {t(where ? 'noneNear' : 'noneNew')}
        </Empty>
      )}
      {isReady && shown.length > 0 && (
        <ul className={classes.rows}>
          {shown.map((challenge) => (
            <li key={challenge.id}>
              <ChallengeTeaser challenge={challenge} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
