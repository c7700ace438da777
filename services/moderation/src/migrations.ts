import type { ServiceKit } from '@wayquest/platform/service';
import { dropIndex, type Migration, renameFields } from '@wayquest/platform/store';

// For stores of version 0.1.0. Removed with 0.3.0, which reads those of 0.2.0 only.

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

/**
 * Renames the user whose content was reported, `concernedId`. The hashes of audit lines stay valid: they cover the values of
 * a line, not the names of its fields.
 */
export const affectedUserName = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '003-affected-user',
  async run() {
    for (const name of ['audit', 'cases', 'reports'])
      await renameFields(connection, name, { concernedId: 'affectedUserId' });
    await dropIndex(connection, 'audit', 'concernedId_1_at_-1__id_-1');
    await dropIndex(connection, 'cases', 'concernedId_1');
  },
});
