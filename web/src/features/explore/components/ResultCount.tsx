import { Button } from '@mantine/core';
import { useSelector } from 'react-redux';
import { isNarrowed } from '../address.ts';
import { selectAnswer } from '../selectors.ts';
import { useWords } from '../words.ts';
import classes from './ResultCount.module.css';

/** How many challenges were found, beside what narrows them: on a phone the list is a map further down. */
export function ResultCount({ onClear }: { onClear(): void }) {
  const t = useWords();
  const { state, searched, challenges, clusters } = useSelector(selectAnswer);
  const shown = challenges.length;
  const total = clusters.length > 0 ? clusters.reduce((sum, { count }) => sum + count, 0) : shown;
  const nothingMatches = state === 'ready' && total === 0 && isNarrowed(searched?.filters);
  const here = t('count', { count: total });
  return (
    <div className={classes.count}>
      <p role="status">
        {nothingMatches && t('nothingMatches')}
        {total > 0 && (total > shown ? t('countMore', { here, shown }) : here)}
      </p>
      {nothingMatches && (
        <Button variant="default" size="sm" onClick={onClear}>
          {t('clearFilters')}
        </Button>
      )}
    </div>
  );
}
