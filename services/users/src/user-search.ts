import {
  maxWithoutAccount,
  type OperationRequest,
  type Operations,
  type ViewedUser,
} from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';
import type { BlockReplica, FriendshipReplica } from '@wayquest/platform/replicas';
import { searchByTokens } from '@wayquest/platform/search';
import type { ServiceKit } from '@wayquest/platform/service';
import type { Caller } from '@wayquest/platform/tokens';
import type { QueryFilter } from 'mongoose';
import {
  type ProfileDocument,
  presentTo,
  profileModel,
  publicProjection,
  type StoredProfile,
  visibilityOf,
} from './profile.model.ts';

type UserQuery = OperationRequest<Operations['listUsers']>['query'];

/** Page size without a `limit`. */
export const defaultLimit = 100;

/** How many random ids to draw for a suggestion; at least one in eight is in use unless more were deleted. */
const drawsPerSuggestion = 8;

/** Who accepts friend requests. */
const accepting: QueryFilter<ProfileDocument> = { 'privacy.requests': { $ne: false } };

/** Lists of users, as a reader may see them. */
export interface UserSearch {
  /** By name or ids, in the order of their ids; or some at random that the caller does not know. Throws `unauthenticated`. */
  list(userQuery: UserQuery, caller: Caller | undefined): Promise<ViewedUser[]>;
}

/** Creates the queries for users. */
export function createUserSearch({
  kit: { connection },
  friendships,
  blocks,
}: {
  kit: Pick<ServiceKit, 'connection'>;
  friendships: FriendshipReplica;
  blocks: BlockReplica;
}): UserSearch {
  const Profiles = profileModel(connection);

  const presentAll = async (caller: Caller | undefined, profiles: StoredProfile[]): Promise<ViewedUser[]> => {
    const readerOf = await friendships.readerOf(caller?.id, profiles.map(visibilityOf));
    return profiles.map((profile) => presentTo(caller, profile, readerOf(profile._id)));
  };

  /** Limits paging without an account. Throws `unauthenticated`. */
  const assertWithinVisitorLimit = async (cursor: number): Promise<void> => {
    const precedingCount = await Profiles.countDocuments(
      { _id: { $lte: cursor } },
      { limit: maxWithoutAccount },
    );
    if (precedingCount < maxWithoutAccount) return;
    throw new Problem('unauthenticated', { detail: 'Please log in to see more people.' });
  };

  /** Users with random ids; if too few exist, those after one of them, continuing from the first. */
  const suggest = async (count: number, caller: Caller | undefined): Promise<StoredProfile[]> => {
    const known = caller
      ? [
          caller.id,
          ...(await friendships.friendsAndRequestedOf(caller.id)),
          ...(await blocks.hiddenFrom(caller.id)),
        ]
      : [];
    const newest = await Profiles.findOne({}, { _id: 1 }).sort({ _id: -1 }).hint({ _id: 1 }).lean();
    const draw = () => 1 + Math.floor(Math.random() * (newest?._id ?? 0));
    const drawnIds = Array.from({ length: count * drawsPerSuggestion }, draw).filter(
      (id) => !known.includes(id),
    );
    const drawnProfiles = await Profiles.find(
      { _id: { $in: [...new Set(drawnIds)] }, ...accepting },
      publicProjection,
    ).lean();
    const found = drawnProfiles
      .sort((one, other) => drawnIds.indexOf(one._id) - drawnIds.indexOf(other._id))
      .slice(0, count);
    for (const after of [draw(), 0]) {
      if (found.length === count) break;
      const others = { $gt: after, $nin: [...known, ...found.map(({ _id }) => _id)] };
      const next = Profiles.find({ _id: others, ...accepting }, publicProjection)
        .sort({ _id: 1 })
        .hint({ _id: 1 });
      found.push(...(await next.limit(count - found.length).lean()));
    }
    return found;
  };

  return {
    async list(
      { search, ids, suggested, cursor, limit = defaultLimit }: UserQuery,
      caller: Caller | undefined,
    ): Promise<ViewedUser[]> {
      if (suggested) return presentAll(caller, await suggest(suggested, caller));
      if (cursor && !caller) await assertWithinVisitorLimit(Number(cursor));
      const filters: QueryFilter<ProfileDocument>[] = [{ _id: { $gt: Number(cursor) || 0 } }];
      if (ids) filters.push({ _id: { $in: ids } });
      const hidden = await blocks.hiddenFrom(caller?.id);
      if (hidden.size) filters.push({ _id: { $nin: [...hidden] } });
      const found = search ? await searchByTokens(Profiles, search) : undefined;
      if (found) filters.push(found.filter);
      const listed = Profiles.find({ $and: filters }, publicProjection).sort({ _id: 1 }).limit(limit).lean();
      const profiles = await (ids || found?.isSelective ? listed : listed.hint({ _id: 1 }));
      return presentAll(caller, profiles);
    },
  };
}
