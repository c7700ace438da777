import {
  CallError,
  type Challenge,
  type Client,
  type NewChallenge,
  type Position,
  placeCategoryOf,
  pointsByDifficulty,
  type Suggestion,
  wayquestCreator,
} from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { Problem } from '@wayquest/platform/core';
import { assertSameBody, type Idempotency, idempotencyMs } from '@wayquest/platform/http';
import type { Outbox, WithOutbox } from '@wayquest/platform/outbox';
import { tokenize } from '@wayquest/platform/search';
import type { ServiceKit } from '@wayquest/platform/service';
import { isDuplicateKey } from '@wayquest/platform/store';
import type { Caller } from '@wayquest/platform/tokens';
import {
  type ChallengeDocument,
  challengeModel,
  creatorModel,
  presentChallenge,
  presentDetails,
} from './challenge.model.ts';
import { unknownTimeZone } from './filters.ts';
import { finestTileAt } from './tiles.ts';
import { type TimeZones, timeZoneAt } from './time-zones.ts';

/** A challenge without its outbox. */
type StoredChallenge = Omit<ChallengeDocument, keyof WithOutbox>;

/** The fields that follow from a position. */
export const locationFieldsOf = (position: Position) => ({
  location: { type: 'Point' as const, coordinates: [position.lng, position.lat] as [number, number] },
  timeZone: timeZoneAt(position),
  tile: finestTileAt(position),
});

/** Creates challenges, at most one for each idempotency key and each suggestion. */
export interface ChallengeCreation {
  /** The creator is always the caller. Throws `too-many-requests`. */
  create(challenge: NewChallenge, caller: Caller, idempotency: Idempotency | undefined): Promise<Challenge>;
  /**
   * The challenge of a suggestion, which the first call creates. It belongs to no account, so that the first person to join
   * cannot change what everybody else finds.
   *
   * @throws `suggestion-not-found`, also if its challenge is deleted or hidden; `places-unavailable`; `too-many-requests`
   */
  createSuggested(suggestion: string, caller: Caller): Promise<Challenge>;
}

/** The dependencies of creating challenges. */
export interface ChallengeCreationDeps {
  kit: Pick<ServiceKit, 'connection' | 'clock' | 'ids' | 'weightOf'>;
  outbox: Outbox<ChallengeDocument>;
  /** Calls the places service. */
  places: Client;
  timeZones: TimeZones;
  /** Counts a created challenge against the quota. Throws `too-many-requests`. */
  countCreated: (userId: number, weight: number) => Promise<void>;
}

/** Creates the operations that create challenges. */
export function createChallengeCreation({
  kit: { connection, clock, ids, weightOf },
  outbox,
  places,
  timeZones,
  countCreated,
}: ChallengeCreationDeps): ChallengeCreation {
  const Challenges = challengeModel(connection);
  const Creators = creatorModel(connection);

  /** The challenge of an earlier call with the same key. Throws `invalid-request` if that had another body. */
  const findByKey = async (idempotency: Idempotency): Promise<Challenge | undefined> => {
    const { key } = idempotency;
    const created = await Challenges.findOne({ 'idempotency.key': key }, { outbox: 0 }).lean();
    if (!created?.idempotency) return undefined;
    if (created.createdAt.getTime() < clock.now() - idempotencyMs) {
      await Challenges.updateOne(
        { _id: created._id, 'idempotency.key': key },
        { $unset: { idempotency: 1 } },
      );
      return undefined;
    }
    assertSameBody(created.idempotency, idempotency);
    return presentChallenge(created);
  };

  /** Throws `suggestion-not-found` for a deleted or hidden challenge. */
  const findBySuggestion = async (suggestion: string): Promise<Challenge | undefined> => {
    const found = await Challenges.findOne({ suggestion }, { outbox: 0 }).lean();
    if (found && (found.deletedAt || found.status === 'hidden')) throw new Problem('suggestion-not-found');
    return found ? presentChallenge(found) : undefined;
  };

  /** Throws `suggestion-not-found` and `places-unavailable`. */
  const fetchSuggestion = async (id: string, { token }: Caller): Promise<Suggestion> => {
    try {
      // In the person's name: otherwise all people together would have the limit of one network.
      return await places.getSuggestion({ params: { id }, query: {} }, { token });
    } catch (error) {
      const isUnknown = error instanceof CallError && error.status === 404;
      throw new Problem(isUnknown ? 'suggestion-not-found' : 'places-unavailable', { cause: error });
    }
  };

  /**
   * Stores a new challenge with its event.
   *
   * @param findConcurrent - Finds the challenge of a concurrent call that took the same unique key.
   */
  const insert = async (
    fields: Omit<StoredChallenge, '_id' | 'version' | 'words' | 'participants' | 'createdAt'>,
    findConcurrent: () => Promise<Challenge | undefined>,
  ): Promise<Challenge> => {
    const challenge = {
      ...fields,
      _id: await ids.next('challenge'),
      version: 1,
      words: tokenize([fields.name, fields.locationName, fields.city]),
      participants: 0,
      createdAt: new Date(clock.now()),
    };
    const event = newEvent(
      'challenge.created.v1',
      { challenge: presentDetails(challenge), version: 1 },
      clock,
    );
    await timeZones.add(challenge.timeZone);
    try {
      await outbox.create(challenge, [event]);
    } catch (error) {
      const other = isDuplicateKey(error) ? await findConcurrent() : undefined;
      if (!other) throw error;
      return other;
    }
    return presentChallenge(challenge);
  };

  return {
    async create(
      { position, points, timeZone = unknownTimeZone, ...fields }: NewChallenge,
      caller: Caller,
      idempotency: Idempotency | undefined,
    ): Promise<Challenge> {
      const existing = idempotency && (await findByKey(idempotency));
      if (existing) return existing;
      await countCreated(caller.id, weightOf(caller));
      const creator = await Creators.findById(caller.id).lean();
      return insert(
        {
          ...fields,
          points: points ?? pointsByDifficulty[fields.difficulty],
          placeCategory: placeCategoryOf(fields),
          ...(position ? locationFieldsOf(position) : { timeZone }),
          creator: { id: caller.id, username: creator?.username ?? caller.username },
          ...(idempotency && { idempotency }),
        },
        // A repeat arrived before the first call was done.
        async () => idempotency && findByKey(idempotency),
      );
    },

    async createSuggested(suggestion: string, caller: Caller): Promise<Challenge> {
      const existing = await findBySuggestion(suggestion);
      if (existing) return existing;
      const found = await fetchSuggestion(suggestion, caller);
      await countCreated(caller.id, weightOf(caller));
      const { id: _, position, ...fields } = found;
      return insert(
        {
          ...fields,
          ...{ startDate: null, endDate: null, suggestion, creator: wayquestCreator },
          ...locationFieldsOf(position),
        },
        // Somebody else was first.
        () => findBySuggestion(suggestion),
      );
    },
  };
}
