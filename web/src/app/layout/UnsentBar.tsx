import { Button } from '@mantine/core';
import { useDispatch, useSelector } from 'react-redux';
import { entryDiscarded, entryRetried, selectRefusedEntries } from '../../entities/challenge-log/slice.ts';
import { useLogTranslations } from '../../entities/challenge-log/translations.ts';
import { useChallengeTranslations } from '../../entities/challenges/translations.ts';
import {
  completionDiscarded,
  completionRetried,
  selectRefusedCompletions,
} from '../../entities/participations/slice.ts';
import { useCommonTranslations } from '../../shared/i18n/common.ts';
import { useErrorSentence } from '../../shared/lib/errors.ts';
import classes from './UnsentBar.module.css';

interface ItemProps {
  /** The reason of the server, as a sentence. */
  reason: string;
  sentence: (reason: string) => string;
  onRetry: () => void;
  onDiscard: () => void;
}

function Item({ reason, sentence, onRetry, onDiscard }: ItemProps) {
  const t = useCommonTranslations();
  return (
    <div className={classes.item}>
      <p>{sentence(useErrorSentence(reason))}</p>
      <Button variant="default" size="xs" onClick={onRetry}>
        {t('retry')}
      </Button>
      <Button variant="subtle" color="gray" size="xs" onClick={onDiscard}>
        {t('discard')}
      </Button>
    </div>
  );
}

/** Completions, notes and photos that the server rejected after the person had left them, until the person decides. */
export function UnsentBar() {
  const t = useChallengeTranslations();
  const log = useLogTranslations();
  const dispatch = useDispatch();
  const completions = useSelector(selectRefusedCompletions);
  const entries = useSelector(selectRefusedEntries);
  return (
    <div role="status">
      {completions.map((completion) => (
        <Item
          key={`completion-${completion.participationId}`}
          reason={completion.refused ?? ''}
          sentence={(reason) => t('refusedLater', { name: completion.name, reason })}
          onRetry={() => dispatch(completionRetried(completion))}
          onDiscard={() => dispatch(completionDiscarded(completion))}
        />
      ))}
      {entries.map((entry) => (
        <Item
          key={`entry-${entry.participationId}`}
          reason={entry.refused ?? ''}
          sentence={(reason) => log('notSaved', { name: entry.name, reason })}
          onRetry={() => dispatch(entryRetried(entry))}
          onDiscard={() => dispatch(entryDiscarded(entry))}
        />
      ))}
    </div>
  );
}
