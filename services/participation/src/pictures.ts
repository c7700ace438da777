import { isDeepStrictEqual } from 'node:util';
import {
  type ChallengePicture,
  type ChosenPicture,
  type Event,
  isVisibleTo,
  type PictureChoice,
} from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { Problem } from '@wayquest/platform/core';
import { addOutbox, type WithOutbox, withEvents } from '@wayquest/platform/outbox';
import type { BlockReplica, ChallengeReplica, ReplicaEvent, UserReplica } from '@wayquest/platform/replicas';
import type { ServiceKit } from '@wayquest/platform/service';
import { upsert } from '@wayquest/platform/store';
import { type Connection, Schema } from 'mongoose';
import {
  type PhotoDocument,
  participationModel,
  photoModel,
  type StoredParticipation,
} from './participation.model.ts';

/** The picture of a challenge, once its log has had a photo or its creator has chosen. */
interface PictureDocument extends WithOutbox {
  /** The challenge's id. */
  _id: number;
  choice: PictureChoice;
  picture?: ChallengePicture | null;
  /** Of the picture, for its event. */
  version: number;
}

const schema = new Schema<PictureDocument>({
  _id: { type: Number, required: true },
  choice: { type: Schema.Types.Mixed, required: true },
  picture: { completionId: Number, userId: Number, photo: String },
  version: { type: Number, required: true },
});
addOutbox(schema);
schema.set('shardKey', { _id: 'hashed' });
schema.index({ 'picture.userId': 1 }, { sparse: true });

const pictureModel = (connection: Connection) =>
  connection.model<PictureDocument>('ChallengePicture', schema, 'challenge_pictures');

/** The size of a thumbnail: the shape of a card, at twice its width on a desktop. */
export const thumbnailSize = { width: 640, height: 400 } as const;

/** How many photos are compared in one query. Only those that not everybody may see are skipped. */
const pageSize = 100;

type Candidate = Pick<PhotoDocument, '_id' | 'participationId' | 'uploadedAt'>;
const candidateFields = { participationId: 1, uploadedAt: 1 } as const;

/**
 * Which photo of its log each challenge has as its picture. A picture is for everybody, also without an account, so it is
 * computed again with each change of who may see one of its photos.
 */
export interface ChallengePictures {
  /** The picture of a challenge and how it was chosen. */
  chosen(challengeId: number): Promise<ChosenPicture>;
  /** Throws `entry-not-found` for an entry of another challenge, or without a photo for everybody. */
  choose(challengeId: number, choice: PictureChoice): Promise<ChosenPicture>;
  /** The bytes of a challenge's current picture. Throws `not-found` for any other, and while the challenge is hidden. */
  dataOf(challengeId: number, photo: string, size: 'card' | 'full'): Promise<Buffer>;
  /** Computes the picture again. Has to be called after each change that may concern it, and may be called again. */
  refresh(challengeId: number): Promise<void>;
  /** The same for all challenges with photos of a user: their privacy settings changed, or their account was deleted. */
  refreshOf(userId: number): Promise<void>;
  /** The same for challenges of one of two users with photos of the other: nobody advertises for whom they blocked. */
  refreshBetween(event: ReplicaEvent<'user.blocked.v1' | 'user.unblocked.v1'>): Promise<void>;
  /** Forgets the picture of a deleted challenge. */
  remove(challengeId: number): Promise<void>;
  /** The event of a picture for a snapshot, if a participation has it. */
  snapshotOf(participation: StoredParticipation): Promise<Event[]>;
}

/** Creates the pictures of challenges. */
export function createChallengePictures({
  kit: { connection, clock, outboxes },
  challengeReplica,
  userReplica,
  blocks,
}: {
  kit: Pick<ServiceKit, 'connection' | 'clock' | 'outboxes'>;
  challengeReplica: ChallengeReplica;
  userReplica: UserReplica;
  blocks: BlockReplica;
}): ChallengePictures {
  const Pictures = pictureModel(connection);
  const Participations = participationModel(connection);
  const Photos = photoModel(connection);
  const outbox = outboxes.forModel(Pictures);

  const eventOf = (challengeId: number, picture: ChallengePicture | null, version: number): Event =>
    newEvent('challenge.picture-changed.v1', { challengeId, picture, version }, clock);

  /** The first of some photos that everybody may see; not of people whom the challenge's creator blocked, or who blocked them. */
  const firstForEverybody = async (
    challengeId: number,
    photos: Candidate[],
  ): Promise<ChallengePicture | undefined> => {
    if (!photos.length) return undefined;
    const entries = await Participations.find(
      {
        _id: { $in: photos.map(({ participationId }) => participationId) },
        ...{ challengeId, completed: true, moderated: null, deletedAt: null },
      },
      { userId: 1, photo: 1 },
    ).lean();
    const challenge = await challengeReplica.get(challengeId);
    const hidden = await blocks.hiddenFrom(challenge?.details.creator.id);
    const people = await userReplica.withPrivacy(entries.map(({ userId }) => userId));
    const isForEverybody = (userId: number) => {
      const person = people.get(userId);
      return !hidden.has(userId) && !!person && isVisibleTo(person.privacy.participation, 'everybody');
    };
    // A photo that its participation does not name was replaced, or its upload was interrupted.
    const byPhoto = new Map(entries.map((entry) => [entry.photo, entry]));
    const found = photos.find(({ _id }) => {
      const entry = byPhoto.get(_id);
      return entry && isForEverybody(entry.userId);
    });
    const entry = byPhoto.get(found?._id);
    return found && entry && { completionId: entry._id, userId: entry.userId, photo: found._id };
  };

  const newest = async (challengeId: number): Promise<ChallengePicture | null> => {
    for (let after: Candidate | undefined; ; ) {
      const older = after && {
        $or: [
          { uploadedAt: { $lt: after.uploadedAt } },
          { uploadedAt: after.uploadedAt, _id: { $lt: after._id } },
        ],
      };
      const photos: Candidate[] = await Photos.find({ challengeId, ...older }, candidateFields)
        .sort({ uploadedAt: -1, _id: -1 })
        .limit(pageSize)
        .lean();
      const found = await firstForEverybody(challengeId, photos);
      if (found || photos.length < pageSize) return found ?? null;
      after = photos.at(-1);
    }
  };

  /** The photo of a log entry, if everybody may see it. */
  const ofEntry = async (challengeId: number, participationId: number) =>
    firstForEverybody(challengeId, await Photos.find({ participationId }, candidateFields).lean());

  const chosenBy = async (challengeId: number, choice: PictureChoice): Promise<ChallengePicture | null> => {
    if (choice === 'none') return null;
    const chosen = choice === 'newest' ? undefined : await ofEntry(challengeId, choice);
    return chosen ?? newest(challengeId);
  };

  const chosen = async (challengeId: number): Promise<ChosenPicture> => {
    const stored = await Pictures.findById(challengeId, { outbox: 0 }).lean();
    return { choice: stored?.choice ?? 'newest', picture: stored?.picture ?? null };
  };

  /** Repeats until the stored picture is the computed one, so that of concurrent changes the last one decides. */
  const refresh = async (challengeId: number): Promise<void> => {
    for (;;) {
      const stored = await Pictures.findById(challengeId, { outbox: 0 }).lean();
      const picture = await chosenBy(challengeId, stored?.choice ?? 'newest');
      if (isDeepStrictEqual(picture, stored?.picture ?? null)) return;
      if (!stored) {
        const first = { choice: 'newest', version: 0, outbox: [] };
        await upsert(Pictures, { _id: challengeId }, { $setOnInsert: first });
        continue;
      }
      const version = stored.version + 1;
      const { modifiedCount } = await Pictures.updateOne(
        { _id: challengeId, version: stored.version },
        withEvents({ $set: { picture, version } }, [eventOf(challengeId, picture, version)], clock),
      );
      if (modifiedCount) outbox.send(challengeId);
    }
  };

  const refreshAll = async (challengeIds: Iterable<number>): Promise<void> => {
    for (const challengeId of challengeIds) await refresh(challengeId);
  };

  const challengesWithPhotosOf = (userId: number): Promise<number[]> =>
    Photos.distinct('challengeId', { userId });

  /** Challenges of one user with photos of another. */
  const sharedBy = async (creatorId: number, userId: number): Promise<number[]> => {
    const challenges = await challengeReplica.byIds(await challengesWithPhotosOf(userId));
    return [...challenges.values()].filter(({ creator }) => creator.id === creatorId).map(({ id }) => id);
  };

  return {
    chosen,

    async choose(challengeId: number, choice: PictureChoice): Promise<ChosenPicture> {
      if (typeof choice === 'number' && !(await ofEntry(challengeId, choice)))
        throw new Problem('entry-not-found', {
          detail: 'Only a photo that everybody may see can be the picture of the challenge.',
        });
      const first = { version: 0, outbox: [] };
      await upsert(Pictures, { _id: challengeId }, { $set: { choice }, $setOnInsert: first });
      await refresh(challengeId);
      return chosen(challengeId);
    },

    async dataOf(challengeId: number, photo: string, size: 'card' | 'full'): Promise<Buffer> {
      const isCurrent = await Pictures.exists({ _id: challengeId, 'picture.photo': photo });
      const challenge = isCurrent && (await challengeReplica.get(challengeId));
      if (!challenge || challenge.details.status === 'hidden') throw new Problem('not-found');
      const field = size === 'card' ? 'thumbnail' : 'data';
      const found = await Photos.findById(photo, { [field]: 1 });
      if (!found) throw new Problem('not-found');
      return found[field];
    },

    refresh,

    async refreshOf(userId: number): Promise<void> {
      const shown = await Pictures.find({ 'picture.userId': userId }, { _id: 1 }).lean();
      await refreshAll(new Set([...shown.map(({ _id }) => _id), ...(await challengesWithPhotosOf(userId))]));
    },

    async refreshBetween({ data }: ReplicaEvent<'user.blocked.v1' | 'user.unblocked.v1'>): Promise<void> {
      await refreshAll(await sharedBy(data.userId, data.blockedId));
      await refreshAll(await sharedBy(data.blockedId, data.userId));
    },

    async remove(challengeId: number): Promise<void> {
      await Pictures.deleteOne({ _id: challengeId });
    },

    async snapshotOf({ _id, challengeId, photo }: StoredParticipation): Promise<Event[]> {
      if (!photo) return [];
      const shown = { _id: challengeId, 'picture.completionId': _id };
      const stored = await Pictures.findOne(shown, { outbox: 0 }).lean();
      return stored?.picture ? [eventOf(challengeId, stored.picture, stored.version)] : [];
    },
  };
}
