import { randomBytes } from 'node:crypto';
import type { Event, FriendsLog, LogEntry, OperationRequest, Operations } from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';
import { cropPicture, reencodePicture } from '@wayquest/platform/pictures';
import type { RateLimiter } from '@wayquest/platform/redis';
import type { BlockReplica } from '@wayquest/platform/replicas';
import type { ServiceKit } from '@wayquest/platform/service';
import type { Caller } from '@wayquest/platform/tokens';
import type { UpdateQuery } from 'mongoose';
import {
  type ParticipationDocument,
  participationModel,
  photoModel,
  type StoredParticipation,
} from './participation.model.ts';
import type { ParticipationLists } from './participation-lists.ts';
import { type ChallengePictures, thumbnailSize } from './pictures.ts';
import type { Thanks } from './thanks.ts';
import {
  filterFullPage,
  type NestedParticipation,
  type VisibleParticipations,
} from './visible-participations.ts';

type FriendsQuery = OperationRequest<Operations['listFriendsLog']>['query'];
type LogQuery = OperationRequest<Operations['listLog']>['query'];

/** Page size without a `limit`. */
export const defaultPageSize = 20;

/** The same for completions of friends. */
const defaultFriendsEntries = 6;

/** Maximum length of a photo's side in pixels. */
const maxPhotoSide = 1_280;

/** An unreferenced upload older than this was interrupted. */
const uploadTimeoutMs = 10 * 60 * 1_000;

export const cursorAfter = ({ completedAt, id }: LogEntry): string => `${completedAt}~${id}`;

const olderThan = (completedAt: Date, id: number) => ({
  $or: [{ completedAt: { $lt: completedAt } }, { completedAt, _id: { $lt: id } }],
});

/** Filter for the entries after a cursor. */
function afterCursor(cursor = ''): object {
  const [moment = '', id] = cursor.split('~');
  const completedAt = new Date(moment);
  return Number.isNaN(completedAt.getTime()) ? {} : olderThan(completedAt, Number(id) || 0);
}

/** The owner and admins still see what moderation hides. */
const seesHidden = (caller: Caller, { userId }: StoredParticipation): boolean =>
  caller.admin || caller.id === userId;

/** An entry as the caller sees it; with `isThanked`, whether they thanked for it. */
function presentEntry(
  { participation, user }: NestedParticipation,
  caller: Caller,
  isThanked: boolean,
): LogEntry[] {
  if (!participation.completedAt) return [];
  const isHidden = participation.moderated === 'hidden';
  const shown = !isHidden || seesHidden(caller, participation);
  const note = (shown && participation.note) || '';
  const photo = (shown && participation.photo) || null;
  const isOwn = caller.id === participation.userId;
  return [
    {
      ...{ id: participation._id, challengeId: participation.challengeId, user },
      completedAt: participation.completedAt.toISOString(),
      checkedIn: participation.checkedIn ?? false,
      ...{ note, photo, hidden: isHidden && shown },
      thanks: { count: participation.thanks ?? 0, mine: isThanked },
      can: {
        edit: isOwn && !participation.moderated,
        delete: isOwn,
        report: !isOwn && (note !== '' || photo !== null),
      },
    },
  ];
}

/** The operations on a challenge's log: who completed it, with a note and a photo (ADR 49). */
export interface ChallengeLog {
  /** Returns an entry as the caller may see it; admins see every reported one. Throws `entry-not-found`. */
  get(id: number, caller: Caller): Promise<LogEntry>;
  /** Lists the entries of a challenge, newest first. */
  list(challengeId: number, query: LogQuery, caller: Caller): Promise<LogEntry[]>;
  /** Lists the latest completions of the caller's friends, with the same number of store commands for any number. */
  friends(query: FriendsQuery, caller: Caller): Promise<FriendsLog>;
  /** Idempotent. Throws `entry-not-found`, `own-entry` and `too-many-requests`. */
  thank(id: number, caller: Caller): Promise<LogEntry>;
  /** Idempotent. Throws `entry-not-found` and `too-many-requests`. */
  withdrawThanks(id: number, caller: Caller): Promise<LogEntry>;
  /** Returns the bytes of a photo to people who may see its entry. Throws `not-found`. */
  photoOf(id: number, photo: string, caller: Caller, size?: 'card' | 'full'): Promise<Buffer>;
  /** Throws what `change` does, and `too-many-requests`. */
  updateNote(participation: StoredParticipation, note: string, caller: Caller): Promise<LogEntry>;
  /** Throws what `change` does, `unsupported-image`, `too-many-requests` and `service-unavailable`. */
  updatePhoto(participation: StoredParticipation, file: Uint8Array, caller: Caller): Promise<LogEntry>;
  /** Throws what `change` does, and `too-many-requests`. */
  removePhoto(participation: StoredParticipation, caller: Caller): Promise<LogEntry>;
  /** Lets admins see a reported entry. */
  applyReport(event: Pick<Event<'report.filed.v1'>, 'data'>): Promise<void>;
  /** Applies a moderation decision; an older one that arrives late changes nothing. */
  applyDecision(event: Pick<Event<'moderation.decided.v1'>, 'data'>): Promise<void>;
}

/** Creates the log of who completed a challenge, with notes and photos. */
export function createLog({
  kit: { connection, clock },
  visibleParticipations,
  blocks,
  lists,
  pictures,
  thanks,
  countChange,
  photoLimiter,
}: {
  kit: Pick<ServiceKit, 'connection' | 'clock'>;
  visibleParticipations: VisibleParticipations;
  blocks: BlockReplica;
  lists: Pick<ParticipationLists, 'latestOfFriends'>;
  pictures: Pick<ChallengePictures, 'refresh'>;
  thanks: Pick<Thanks, 'thankedBy' | 'thank' | 'withdraw'>;
  /** Counts a change of a note, photo or thanks. Throws `too-many-requests`. */
  countChange: (userId: number) => Promise<void>;
  /** Counts uploads by user. */
  photoLimiter: Pick<RateLimiter, 'count'>;
}): ChallengeLog {
  const Participations = participationModel(connection);
  const Photos = photoModel(connection);

  /** One more command for what the caller thanked for. */
  const presentAll = async (caller: Caller, nested: NestedParticipation[]): Promise<LogEntry[]> => {
    const ids = nested.map(({ participation }) => participation._id);
    const thanked = await thanks.thankedBy(caller.id, ids);
    return nested.flatMap((each) => presentEntry(each, caller, thanked.has(each.participation._id)));
  };

  const present = async (caller: Caller, participations: StoredParticipation[]): Promise<LogEntry[]> =>
    presentAll(caller, await visibleParticipations.visibleTo(caller, participations));

  const find = async (id: number): Promise<StoredParticipation> => {
    const completedFilter = { _id: id, completed: true, deletedAt: null };
    const participation = await Participations.findOne(completedFilter, { outbox: 0 }).lean();
    if (!participation) throw new Problem('entry-not-found');
    return participation;
  };

  const get = async (id: number, caller: Caller): Promise<LogEntry> => {
    const participation = await find(id);
    const isReviewed = caller.admin && participation.reported;
    if (!isReviewed && (await blocks.isBlockedBetween(caller.id, participation.userId)))
      throw new Problem('entry-not-found');
    const nested = isReviewed
      ? await visibleParticipations.nest(caller.id, [participation])
      : await visibleParticipations.visibleTo(caller, [participation]);
    const [entry] = await presentAll(caller, nested);
    if (!entry) throw new Problem('entry-not-found');
    return entry;
  };

  /**
   * Changes note or photo of a completed participation.
   *
   * @param isRemoval - A removal is possible while moderation hides the entry, too.
   * @returns The participation before the change.
   * @throws Problem `participation-not-found`, `not-completed-yet` or `entry-hidden`.
   */
  const change = async (
    { _id }: StoredParticipation,
    update: UpdateQuery<ParticipationDocument>,
    { isRemoval }: { isRemoval: boolean },
  ): Promise<StoredParticipation> => {
    const mayWrite = isRemoval ? {} : { moderated: null };
    const before = await Participations.findOneAndUpdate(
      { _id, completed: true, deletedAt: null, ...mayWrite },
      update,
      { projection: { outbox: 0 } },
    ).lean();
    if (before) return before;
    const participation = await Participations.findOne({ _id, deletedAt: null }, { completed: 1 }).lean();
    if (!participation) throw new Problem('participation-not-found');
    throw new Problem(participation.completed ? 'entry-hidden' : 'not-completed-yet');
  };

  /** Rejects what `change` would reject, before the file is decoded. */
  const requireWritable = ({ completed, moderated }: StoredParticipation): void => {
    if (!completed) throw new Problem('not-completed-yet');
    if (moderated) throw new Problem('entry-hidden');
  };

  /** Deletes the previous photo, and the photos of interrupted uploads. */
  const deleteOtherPhotos = async (
    { _id: participationId, photo: previous }: StoredParticipation,
    current: string | null,
  ): Promise<void> => {
    const interrupted = { uploadedAt: { $lt: new Date(clock.now() - uploadTimeoutMs) } };
    await Photos.deleteMany({
      ...{ participationId, _id: { $ne: current } },
      $or: [...(previous ? [{ _id: previous }] : []), interrupted],
    });
  };

  return {
    get,

    async list(
      challengeId: number,
      { cursor, limit = defaultPageSize }: LogQuery,
      caller: Caller,
    ): Promise<LogEntry[]> {
      const hidden = [...(await blocks.hiddenFrom(caller.id))];
      const byOthers = hidden.length ? { userId: { $nin: hidden } } : {};
      const completedFilter = {
        challengeId,
        completedAt: { $gt: new Date(0) },
        deletedAt: null,
        ...byOthers,
      };
      const pageAfter = (last: StoredParticipation | undefined, size: number) => {
        const after = last?.completedAt ? olderThan(last.completedAt, last._id) : afterCursor(cursor);
        return Participations.find({ ...completedFilter, ...after }, { outbox: 0 })
          .sort({ completedAt: -1, _id: -1 })
          .limit(size)
          .lean();
      };
      return filterFullPage(pageAfter, limit, (found) => present(caller, found));
    },

    async friends({ limit = defaultFriendsEntries }: FriendsQuery, caller: Caller): Promise<FriendsLog> {
      const { hasFriends, latest } = await lists.latestOfFriends(caller, limit);
      const nested = await visibleParticipations.visibleTo(caller, latest);
      const challenges = new Map(nested.map(({ challenge }) => [challenge.id, challenge]));
      const entries = (await presentAll(caller, nested)).flatMap((entry) => {
        const { id, name, template } = challenges.get(entry.challengeId) ?? {};
        return id && name !== undefined
          ? [{ ...entry, challenge: { id, name, ...(template && { template }) } }]
          : [];
      });
      return { hasFriends, entries };
    },

    async thank(id: number, caller: Caller): Promise<LogEntry> {
      await countChange(caller.id);
      const { user } = await get(id, caller);
      if (user.id === caller.id) throw new Problem('own-entry');
      await thanks.thank(caller.id, await find(id));
      return get(id, caller);
    },

    async withdrawThanks(id: number, caller: Caller): Promise<LogEntry> {
      await countChange(caller.id);
      await thanks.withdraw(caller.id, id);
      return get(id, caller);
    },

    async photoOf(
      id: number,
      photo: string,
      caller: Caller,
      size: 'card' | 'full' = 'full',
    ): Promise<Buffer> {
      const entry = await get(id, caller).catch((cause: unknown) => {
        throw cause instanceof Problem ? new Problem('not-found', { cause }) : cause;
      });
      const field = size === 'card' ? 'thumbnail' : 'data';
      const found = entry.photo === photo ? await Photos.findById(photo, { [field]: 1 }) : null;
      if (!found) throw new Problem('not-found');
      return found[field];
    },

    async updateNote(participation: StoredParticipation, note: string, caller: Caller): Promise<LogEntry> {
      await countChange(caller.id);
      const update = note ? { $set: { note } } : { $unset: { note: 1 } };
      await change(participation, update, { isRemoval: !note });
      return get(participation._id, caller);
    },

    async updatePhoto(
      participation: StoredParticipation,
      file: Uint8Array,
      caller: Caller,
    ): Promise<LogEntry> {
      requireWritable(participation);
      await photoLimiter.count(String(caller.id));
      await countChange(caller.id);
      const size = {
        width: maxPhotoSide,
        height: maxPhotoSide,
        fit: 'inside',
        withoutEnlargement: true,
      } as const;
      const data = await reencodePicture(file, size);
      const thumbnail = await cropPicture(data, thumbnailSize);
      const { _id: participationId, challengeId, userId } = participation;
      const photo = randomBytes(16).toString('hex');
      await Photos.create({
        _id: photo,
        participationId,
        challengeId,
        userId,
        data,
        thumbnail,
        uploadedAt: new Date(clock.now()),
      });
      const before = await change(participation, { $set: { photo } }, { isRemoval: false }).catch(
        async (error: unknown) => {
          // After any other error the participation may reference the photo already.
          if (error instanceof Problem) await Photos.deleteOne({ _id: photo });
          throw error;
        },
      );
      await pictures.refresh(challengeId);
      await deleteOtherPhotos(before, photo);
      return get(participationId, caller);
    },

    async removePhoto(participation: StoredParticipation, caller: Caller): Promise<LogEntry> {
      await countChange(caller.id);
      const before = await change(participation, { $unset: { photo: 1 } }, { isRemoval: true });
      await pictures.refresh(participation.challengeId);
      await deleteOtherPhotos(before, null);
      return get(participation._id, caller);
    },

    async applyReport({ data: { caseId } }: Pick<Event<'report.filed.v1'>, 'data'>): Promise<void> {
      const _id = Number(/^completion-(\d+)$/.exec(caseId)?.[1]);
      if (_id) await Participations.updateOne({ _id }, { $set: { reported: true } });
    },

    async applyDecision({ data }: Pick<Event<'moderation.decided.v1'>, 'data'>): Promise<void> {
      if (data.kind !== 'completion') return;
      const { subjectId: _id, version: decision, state } = data;
      const older = { _id, $or: [{ decision: null }, { decision: { $lt: decision } }] };
      const updates: Record<typeof state, UpdateQuery<ParticipationDocument>> = {
        live: { $set: { decision }, $unset: { moderated: 1 } },
        hidden: { $set: { decision, moderated: 'hidden' } },
        deleted: { $set: { decision, moderated: 'deleted' }, $unset: { note: 1, photo: 1 } },
      };
      await Participations.updateOne(older, updates[state]);
      // Repeated when the event is redelivered after a crash in between.
      const decided = await Participations.findById(_id, { challengeId: 1, moderated: 1 }).lean();
      if (!decided) return;
      await pictures.refresh(decided.challengeId);
      if (state === 'deleted' && decided.moderated === 'deleted')
        await Photos.deleteMany({ participationId: _id });
    },
  };
}
