import type { ServiceKit } from '@wayquest/platform/service';
import {
  dropIndex,
  type Migration,
  moveCollection,
  renameFields,
  replaceValue,
} from '@wayquest/platform/store';

// For stores of version 0.1.0. Removed with 0.3.0, which reads those of 0.2.0 only.

/** Renames the fields with the actors of a notification: `people` and `heard`. */
export const actors = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '001-actors',
  async run() {
    await renameFields(connection, 'notifications', { people: 'recentActors', heard: 'actorHistory' });
    await dropIndex(connection, 'notifications', 'heard.userId_1_userId_1');
  },
});

/** Renames the change in notifications about revoked points. */
export const revokedPoints = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '002-revoked-points',
  async run() {
    const change = { field: 'change', from: 'points-withdrawn', to: 'points-revoked' };
    await replaceValue(connection, 'notifications', change);
  },
});

/** Renames the changes in notifications about flagged and approved points. */
export const flaggedPoints = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '004-flagged-points',
  async run() {
    const field = 'change';
    await replaceValue(connection, 'notifications', { field, from: 'points-wait', to: 'points-flagged' });
    await replaceValue(connection, 'notifications', { field, from: 'points-count', to: 'points-approved' });
  },
});

/** Stores reminders by that name; version 0.1.0 called them endings. */
export const expiryReminders = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '003-expiry-reminders',
  async run() {
    await moveCollection(connection, 'endings', 'expiry_reminders');
    await renameFields(connection, 'expiry_reminders', { told: 'sent' });
  },
});
