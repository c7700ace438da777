import type { ServiceKit } from '@wayquest/platform/service';
import { type Migration, renameFields } from '@wayquest/platform/store';

/** Stores the deadline for responding to the owner of a place by the name that the contract has for it. */
export const respondByName = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '001-respond-by',
  async run() {
    await renameFields(connection, 'cases', { answerBy: 'respondBy' });
    await renameFields(connection, 'reports', { answerBy: 'respondBy' });
  },
});

/** Renames the text of a report and of an appeal, `words`. The bus renames it in unpublished events. */
export const commentName = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '002-comment',
  async run() {
    await renameFields(connection, 'reports', { words: 'comment' });
    await renameFields(connection, 'cases', { 'appeal.words': 'appeal.comment' });
  },
});
