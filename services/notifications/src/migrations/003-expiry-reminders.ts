import type { ServiceKit } from '@wayquest/platform/service';
import { type Migration, moveCollection, renameFields } from '@wayquest/platform/store';

/** Stores reminders by that name; version 0.1.0 called them endings. */
export const expiryReminders = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '003-expiry-reminders',
  async run() {
    await moveCollection(connection, 'endings', 'expiry_reminders');
    await renameFields(connection, 'expiry_reminders', { told: 'sent' });
  },
});
