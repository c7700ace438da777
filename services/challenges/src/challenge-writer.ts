import type { Event } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { type Outbox, withEvents } from '@wayquest/platform/outbox';
import type { ServiceKit } from '@wayquest/platform/service';
import type { QueryFilter } from 'mongoose';
import {
  type ChallengeDocument,
  challengeModel,
  presentDetails,
  presentPosition,
} from './challenge.model.ts';

/** A challenge that is changed, without its outbox. */
export type ChangedChallenge = Omit<ChallengeDocument, 'outbox'>;

/** What a change writes, together with its events. */
export interface ChallengeChanges {
  set: Partial<ChallengeDocument>;
  events: Event[];
}

/** Writes changes of challenges together with their events. */
export interface ChallengeWriter {
  /**
   * Changes the challenge that a filter finds, with optimistic concurrency.
   *
   * @param next - Returns the changes of the current challenge; undefined for none. It is called again after a conflict.
   * @returns Whether there was such a challenge.
   */
  change(
    filter: QueryFilter<ChallengeDocument>,
    next: (challenge: ChangedChallenge) => ChallengeChanges | undefined,
  ): Promise<boolean>;
  /** Changed fields, with the event of an update. */
  update(challenge: ChangedChallenge, fields: Partial<ChangedChallenge>): ChallengeChanges;
  /** A deletion, with its event. */
  delete(challenge: Pick<ChallengeDocument, '_id' | 'location'>, revokesPoints?: true): ChallengeChanges;
}

/** Creates the writer of a service's challenges. */
export function createChallengeWriter({
  connection,
  clock,
  outbox,
}: Pick<ServiceKit, 'connection' | 'clock'> & { outbox: Outbox<ChallengeDocument> }): ChallengeWriter {
  const Challenges = challengeModel(connection);

  return {
    async change(filter, next) {
      for (;;) {
        const challenge = await Challenges.findOne({ ...filter, deletedAt: null }, { outbox: 0 }).lean();
        if (!challenge) return false;
        const changes = next(challenge);
        if (!changes) return true;
        const { _id, version } = challenge;
        const { modifiedCount } = await Challenges.updateOne(
          { _id, version, deletedAt: null },
          withEvents({ $set: changes.set }, changes.events, clock),
        );
        if (!modifiedCount) continue;
        outbox.send(_id);
        return true;
      }
    },

    update(challenge, fields) {
      const version = challenge.version + 1;
      const details = presentDetails({ ...challenge, ...fields });
      return {
        set: { ...fields, version },
        events: [newEvent('challenge.updated.v1', { challenge: details, version }, clock)],
      };
    },

    delete({ _id, location }, revokesPoints) {
      const position = presentPosition(location);
      const data = {
        challengeId: _id,
        ...(position && { position }),
        ...(revokesPoints && { revokesPoints }),
      };
      return {
        set: { deletedAt: new Date(clock.now()) },
        events: [newEvent('challenge.deleted.v1', data, clock)],
      };
    },
  };
}
