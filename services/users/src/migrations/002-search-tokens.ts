import type { ServiceKit } from '@wayquest/platform/service';
import { backfillTokens, type Migration } from '@wayquest/platform/store';
import { profileModel } from '../profile.model.ts';
import { searchedFields } from '../profiles.ts';

/** Adds search tokens to profiles, or folds them again. */
export const searchTokens = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '002-search-tokens',
  run: () => backfillTokens(profileModel(connection), searchedFields),
});
