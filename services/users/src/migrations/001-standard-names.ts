import type { ServiceKit } from '@wayquest/platform/service';
import { dropCollection, type Migration, moveCollection } from '@wayquest/platform/store';

/** Renames collections; the ranking's is dropped, since the ranking is computed where it is missing. */
export const collections = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '001-collections',
  async run() {
    await moveCollection(connection, 'months', 'monthly_scores');
    await moveCollection(connection, 'withdrawn-challenges', 'withdrawn_challenges');
    await dropCollection(connection, 'boards');
  },
});
