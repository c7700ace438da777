import type { Audience } from '@wayquest/contracts';
import type { FriendshipReplica } from '@wayquest/platform/replicas';
import type { ServiceKit } from '@wayquest/platform/service';
import { upsert } from '@wayquest/platform/store';
import { type Connection, Schema } from 'mongoose';

/** Who may see the map of a user's completions. There is no document for the default. */
export interface TrailMapDocument {
  /** The user's id. */
  _id: number;
  visibility: Audience;
}

const schema = new Schema<TrailMapDocument>({
  _id: { type: Number, required: true },
  visibility: { type: String, required: true },
});
schema.set('shardKey', { _id: 'hashed' });

export const trailMapModel = (connection: Connection) =>
  connection.model<TrailMapDocument>('TrailMap', schema, 'trail_maps');

/** Visibility of the maps of users' completions; by default only their owners see them. */
export interface TrailMaps {
  setVisibility(userId: number, visibility: Audience): Promise<{ visibility: Audience }>;
  erase(userId: number): Promise<void>;
  /** Returns undefined if the reader may not see the map; only its owner gets the setting. */
  visibleTo(readerId: number, userId: number): Promise<{ visibility?: Audience } | undefined>;
}

/** Creates the store of who may see the map of a person's completed challenges. */
export function createTrailMaps({
  kit: { connection },
  friendships,
}: {
  kit: Pick<ServiceKit, 'connection'>;
  friendships: Pick<FriendshipReplica, 'areFriends'>;
}): TrailMaps {
  const TrailMaps = trailMapModel(connection);

  return {
    async setVisibility(userId: number, visibility: Audience): Promise<{ visibility: Audience }> {
      await upsert(TrailMaps, { _id: userId }, { $set: { visibility } });
      return { visibility };
    },

    async erase(userId: number): Promise<void> {
      await TrailMaps.deleteMany({ _id: userId });
    },

    async visibleTo(readerId: number, userId: number): Promise<{ visibility?: Audience } | undefined> {
      const visibility = (await TrailMaps.findById(userId).lean())?.visibility ?? 'me';
      if (readerId === userId) return { visibility };
      const isAllowed =
        visibility === 'everybody' ||
        (visibility === 'friends' && (await friendships.areFriends(userId, readerId)));
      return isAllowed ? {} : undefined;
    },
  };
}
