import { Button } from '@mantine/core';
import { useSelector } from 'react-redux';
import { isNarrowed } from '../address.ts';
import { selectAnswer } from '../selectors.ts';
import classes from './ResultCount.module.css';

/** How many challenges were found, beside what narrows them: on a phone the list is a map further down. */
export function ResultCount({ onClear }: { onClear(): void }) {
  const { state, searched, challenges, clusters } = useSelector(selectAnswer);
  const shown = challenges.length;
  const total = clusters.length > 0 ? clusters.reduce((sum, { count }) => sum + count, 0) : shown;
  const nothingMatches = state === 'ready' && total === 0 && isNarrowed(searched?.filters);
  return (
    <div className={classes.count}>
      <p role="status">
        {nothingMatches && 'No challenge here matches. '}
        {total > 0 && `${total === 1 ? '1 challenge' : `${total.toLocaleString('en-US')} challenges`} here`}
        {total > shown && `, the newest ${shown} in the list. Zoom in for the others`}
      </p>
      {nothingMatches && (
        <Button variant="default" size="sm" onClick={onClear}>
          Clear the filters
        </Button>
      )}
    </div>
  );
}
