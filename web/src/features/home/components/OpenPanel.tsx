import type { ChallengeLine } from '@wayquest/contracts';
import { ChallengeTeaser } from '../../../entities/challenges/ChallengeTeaser.tsx';
import type { QueryResult } from '../../../shared/lib/use-query.ts';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { useBoardTranslations } from '../board-translations.ts';
import { byWhatEndsFirst } from '../open-lines.ts';
import classes from './Board.module.css';
import { RowsSkeleton } from './BoardSkeleton.tsx';
import { Panel } from './Panel.tsx';

interface Props {
  lines: ChallengeLine[];
  query: QueryResult<unknown>;
}

/** The person's participations, those whose challenge ends first at the top. */
export function OpenPanel({ lines, query: { state, error, refetch } }: Props) {
  const t = useBoardTranslations();
  const shown = byWhatEndsFirst(lines).slice(0, 3);
  return (
    <Panel title={t('yours')} more={{ to: '/challenges#your-challenges', label: t('allYours') }}>
      {state === 'failed' && <Failure onRetry={refetch}>{error}</Failure>}
      {(state === 'idle' || state === 'loading') && <RowsSkeleton />}
      {state === 'ready' && shown.length === 0 && <Empty>{t('noneYours')}</Empty>}
      {shown.length > 0 && (
        <ul className={classes.rows}>
          {shown.map(({ id, challenge }) => (
            <li key={id}>
              <ChallengeTeaser challenge={challenge} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
