import { Button } from '@mantine/core';
import type { Position } from '@wayquest/contracts';
import { useSelector } from 'react-redux';
import { useCommonTranslations } from '../../../shared/i18n/common.ts';
import { useErrorSentence } from '../../../shared/lib/errors.ts';
import { isFiltered } from '../address.ts';
import { isInSearchedArea } from '../is-in-searched-area.ts';
import { selectSearchResult } from '../slice.ts';
import { useTranslations } from '../translations.ts';
import classes from './ResultCount.module.css';

interface Props {
  /** The person's position, if known. */
  from: Position | null;
  onClear(): void;
  /** Given if it also has to show errors, since the list is out of sight. */
  onRetry?: () => void;
}

/** The number of challenges found, beside the active filters. */
export function ResultCount({ from, onClear, onRetry }: Props) {
  const t = useTranslations();
  const common = useCommonTranslations();
  const { state, error, searched, challenges, clusters } = useSelector(selectSearchResult);
  const failure = useErrorSentence(error);
  const shown = challenges.length;
  const total = clusters.length > 0 ? clusters.reduce((sum, { count }) => sum + count, 0) : shown;
  const nothingMatches = state === 'ready' && total === 0 && isFiltered(searched?.filters);
  return (
    <div className={classes.count}>
      <div role="status">
        <p>
          {nothingMatches && t('nothingMatches')}
          {onRetry && state === 'failed' && failure}
          {onRetry &&
            state === 'ready' &&
            total === 0 &&
            !nothingMatches &&
            t(isInSearchedArea(from, searched) ? 'nothingNear' : 'nothingHere')}
          {total > 0 && t('count', { count: total })}
        </p>
        {total > shown && (
          <p className={classes.listed}>{t(searched?.near ? 'listedNearest' : 'listed', { shown })}</p>
        )}
      </div>
      {onRetry && state === 'failed' && (
        <Button variant="default" size="sm" onClick={onRetry}>
          {common('retry')}
        </Button>
      )}
      {nothingMatches && (
        <Button variant="default" size="sm" onClick={onClear}>
          {t('clearFilters')}
        </Button>
      )}
    </div>
  );
}
