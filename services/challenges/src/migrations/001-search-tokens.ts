import type { ServiceKit } from '@wayquest/platform/service';
import { backfillTokens, type Migration } from '@wayquest/platform/store';
import { challengeModel } from '../challenge.model.ts';

/** Adds search tokens to challenges, or folds them again. */
export const searchTokens = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '001-search-tokens',
  run: () => backfillTokens(challengeModel(connection), ['name', 'locationName', 'city']),
});
