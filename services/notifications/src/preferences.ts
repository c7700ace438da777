import { type NotificationKind, type NotificationPreferences, notificationKinds } from '@wayquest/contracts';
import type { ServiceKit } from '@wayquest/platform/service';
import { upsert } from '@wayquest/platform/store';
import { type Connection, Schema } from 'mongoose';

/** What a person changed; all other kinds are on. */
interface PreferencesDocument extends Partial<NotificationPreferences> {
  /** The person's id. */
  _id: number;
}

const schema = new Schema<PreferencesDocument>({
  _id: { type: Number, required: true },
  ...Object.fromEntries(notificationKinds.map((kind) => [kind, Boolean])),
});
schema.set('shardKey', { _id: 'hashed' });

export const preferencesModel = (connection: Connection) =>
  connection.model<PreferencesDocument>('Preferences', schema, 'preferences');

/** Notification preferences of users. */
export interface Preferences {
  of(userId: number): Promise<NotificationPreferences>;
  update(userId: number, changes: Partial<NotificationPreferences>): Promise<NotificationPreferences>;
  erase(userId: number): Promise<void>;
  /** Those of these people who opted out of a kind. */
  optedOut(kind: NotificationKind, userIds: number[]): Promise<Set<number>>;
}

/** Creates the store of which kinds of notifications people receive. */
export function createPreferences({ connection }: Pick<ServiceKit, 'connection'>): Preferences {
  const Preferences = preferencesModel(connection);

  const of = async (userId: number): Promise<NotificationPreferences> => {
    const stored = await Preferences.findById(userId).lean();
    const isEnabled = (kind: keyof NotificationPreferences) => stored?.[kind] ?? true;
    return {
      'friend-requested': isEnabled('friend-requested'),
      'friend-accepted': isEnabled('friend-accepted'),
      'challenge-joined': isEnabled('challenge-joined'),
      'challenge-completed': isEnabled('challenge-completed'),
      'completion-thanked': isEnabled('completion-thanked'),
      'challenge-changed': isEnabled('challenge-changed'),
      'challenge-ending': isEnabled('challenge-ending'),
    };
  };

  return {
    of,

    async update(
      userId: number,
      changes: Partial<NotificationPreferences>,
    ): Promise<NotificationPreferences> {
      await upsert(Preferences, { _id: userId }, { $set: changes });
      return of(userId);
    },

    async erase(userId: number): Promise<void> {
      await Preferences.deleteOne({ _id: userId });
    },

    async optedOut(kind: NotificationKind, userIds: number[]): Promise<Set<number>> {
      const found = await Preferences.find({ _id: { $in: userIds }, [kind]: false }, { _id: 1 }).lean();
      return new Set(found.map(({ _id }) => _id));
    },
  };
}
