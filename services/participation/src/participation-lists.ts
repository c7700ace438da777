import {
  isVisibleTo,
  maxWithoutAccount,
  type OperationRequest,
  type Operations,
  type Participation,
} from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';
import {
  type BlockReplica,
  type FriendshipReplica,
  showsParticipation,
  type UserReplica,
} from '@wayquest/platform/replicas';
import type { ServiceKit } from '@wayquest/platform/service';
import type { Caller } from '@wayquest/platform/tokens';
import {
  participationKey,
  participationModel,
  presentParticipation,
  type StoredParticipation,
  withoutPlace,
  withoutTimes,
} from './participation.model.ts';
import { filterFullPage, type VisibleParticipations } from './visible-participations.ts';

type ParticipationQuery = OperationRequest<Operations['listParticipations']>['query'];
type CompletionQuery = OperationRequest<Operations['listCompletions']>['query'];

/** Page size without a `limit`. */
export const defaultLimit = 500;

/** Of more friends, only the latest are considered. */
const maxFriends = 500;

/** The same for other people's completions. */
const defaultCompletions = 20;

/** Who sees which participations. */
export interface ParticipationLists {
  /**
   * Whether a person shows the caller their participations; never if the caller blocked them. Throws `user-not-found`
   * if they blocked the caller.
   */
  isShown(userId: number, caller: Caller): Promise<boolean>;
  /**
   * The caller's participations, newest first; or those of one challenge, oldest first. Throws `unauthenticated` for
   * the caller's own without an account.
   */
  list(query: ParticipationQuery, caller: Caller | undefined): Promise<Participation[]>;
  /**
   * The latest completions of these people, newest first. People who hide theirs are not queried: gaps would reveal
   * when they completed something. Takes one command, and one more if somebody shows theirs to friends only.
   */
  latestOf(query: CompletionQuery, caller: Caller): Promise<Participation[]>;
  /** The latest completions of the caller's friends, of those who show them, and whether the caller has friends. */
  latestOfFriends(
    caller: Caller,
    limit: number,
  ): Promise<{ hasFriends: boolean; latest: StoredParticipation[] }>;
}

/** Creates the lists of participations; each shows a reader what its people allow. */
export function createParticipationLists({
  kit: { connection, clock },
  userReplica,
  friendships,
  blocks,
  visibleParticipations,
}: {
  kit: Pick<ServiceKit, 'connection' | 'clock'>;
  userReplica: UserReplica;
  friendships: FriendshipReplica;
  blocks: BlockReplica;
  visibleParticipations: VisibleParticipations;
}): ParticipationLists {
  const Participations = participationModel(connection);

  /** The participations that a reader may see. */
  const presentTo = async (
    caller: Caller | undefined,
    participations: StoredParticipation[],
  ): Promise<Participation[]> =>
    (await visibleParticipations.visibleTo(caller, participations)).map(({ participation, ...nested }) =>
      presentParticipation(participation, nested, { readerId: caller?.id, now: new Date(clock.now()) }),
    );

  /** The people who show a reader their participations. */
  const visibleTo = async (readerId: number, ids: number[]): Promise<number[]> => {
    const people = [...(await userReplica.withPrivacy(ids))];
    const readerOf = await friendships.readerOf(
      readerId,
      people.map(([id, { privacy }]) => ({ id, visibility: [privacy.participation] })),
    );
    return people.flatMap(([id, { privacy }]) =>
      isVisibleTo(privacy.participation, readerOf(id)) ? [id] : [],
    );
  };

  /** Limits paging without an account. Throws `unauthenticated`. */
  const assertWithinVisitorLimit = async (challengeId: number, cursor: number): Promise<void> => {
    const before = { challengeId, _id: { $lte: cursor }, deletedAt: null };
    if ((await Participations.countDocuments(before, { limit: maxWithoutAccount })) < maxWithoutAccount)
      return;
    throw new Problem('unauthenticated', { detail: 'Please log in to see more people.' });
  };

  const latestAmong = (userIds: number[], limit: number): Promise<StoredParticipation[]> =>
    Participations.find({ userId: { $in: userIds }, completed: true, deletedAt: null }, { outbox: 0 })
      .sort({ completedAt: -1 })
      .limit(limit)
      .lean();

  return {
    async isShown(userId: number, { id: readerId }: Caller): Promise<boolean> {
      if (userId === readerId) return true;
      const blockers = await blocks.blockersAmong(userId, readerId);
      if (blockers.has(userId)) throw new Problem('user-not-found');
      if (blockers.has(readerId)) return false;
      return showsParticipation({ users: userReplica, friendships }, userId, readerId);
    },

    async list(
      { challengeId, userId, ids: people, completed, cursor, limit = defaultLimit }: ParticipationQuery,
      caller: Caller | undefined,
    ): Promise<Participation[]> {
      if (!challengeId && !caller) throw new Problem('unauthenticated');
      const from = Number(cursor) || 0;
      const hidden = challengeId ? [...(await blocks.hiddenFrom(caller?.id))] : [];
      const userFilter = { ...(userId && { $eq: userId }), ...(hidden.length && { $nin: hidden }) };
      const filter = challengeId
        ? {
            // By their keys, so that a store does not read all participants.
            ...(people
              ? { key: { $in: people.map((id) => participationKey(id, challengeId)) } }
              : { challengeId }),
            ...(Object.keys(userFilter).length && { userId: userFilter }),
          }
        : { userId: caller?.id };
      if (challengeId && cursor && !caller) await assertWithinVisitorLimit(challengeId, from);
      const completedFilter = completed === undefined ? {} : { completed };
      const pageAfter = (last: StoredParticipation | undefined, size: number) => {
        const after = last?._id ?? from;
        const page = after ? { _id: challengeId ? { $gt: after } : { $lt: after } } : {};
        return Participations.find({ ...filter, ...completedFilter, ...page, deletedAt: null }, { outbox: 0 })
          .sort({ _id: challengeId ? 1 : -1 })
          .limit(size)
          .lean();
      };
      const participations = await filterFullPage(pageAfter, limit, (found) => presentTo(caller, found));
      return caller ? participations : participations.map(withoutTimes);
    },

    async latestOf(
      { ids, limit = defaultCompletions }: CompletionQuery,
      caller: Caller,
    ): Promise<Participation[]> {
      const hidden = await blocks.hiddenFrom(caller.id);
      const visible = await visibleTo(
        caller.id,
        ids.filter((id) => !hidden.has(id)),
      );
      return (await presentTo(caller, await latestAmong(visible, limit))).map(withoutPlace);
    },

    async latestOfFriends(
      { id }: Caller,
      limit: number,
    ): Promise<{ hasFriends: boolean; latest: StoredParticipation[] }> {
      const hidden = await blocks.hiddenFrom(id);
      const friends = (await friendships.friendsOf(id)).filter((friend) => !hidden.has(friend));
      const visible = await visibleTo(id, friends.slice(-maxFriends));
      return { hasFriends: friends.length > 0, latest: await latestAmong(visible, limit) };
    },
  };
}
