import type { EventData, EventName } from '@wayquest/contracts';

/**
 * Events of version 0.1.0, which may still be in outboxes, in queues and among dead letters. Removed with 0.3.0, which reads those
 * of 0.2.0 only.
 */

/** Names of events. */
const formerNames = new Map<string, EventName>([
  ['replica.requested.v1', 'replica.rebuild-requested.v1'],
  ['replica.told.v1', 'replica.snapshot-completed.v1'],
  ['points.withdrawn.v1', 'points.revoked.v1'],
  ['archive.made.v1', 'archive.ready.v1'],
  ['report.made.v1', 'report.filed.v1'],
  ['appeal.made.v1', 'appeal.filed.v1'],
]);

/** Decisions about points. */
const formerDecisions = new Map<unknown, EventData<'points.decided.v1'>['decision']>([
  ['hold', 'flag'],
  ['release', 'approve'],
  ['withdraw', 'revoke'],
]);

type Data = Record<string, unknown>;

/** Returns data with a new name for a field, or unchanged without the field. */
const renameField =
  (from: string, to: string) =>
  (data: Data): Data => {
    if (!(from in data)) return data;
    const { [from]: value, ...others } = data;
    return { ...others, [to]: value };
  };

const isData = (data: unknown): data is Data => typeof data === 'object' && data !== null;

const upgradeChallenge = ({ challenge, ...data }: Data): Data => ({
  ...data,
  challenge: isData(challenge)
    ? renameField('checkInAsked', 'checkInRequired')(renameField('scene', 'placeCategory')(challenge))
    : challenge,
});

/** Events whose data had other names: how the data gets those of this version. */
const upgrades: { [N in EventName]?: (data: Data) => Data } = {
  'appeal.filed.v1': renameField('words', 'comment'),
  'challenge.completed.v1': (data) =>
    renameField('doubt', 'flagReason')(renameField('lineId', 'participationId')(data)),
  'challenge.created.v1': upgradeChallenge,
  'challenge.joined.v1': renameField('lineId', 'participationId'),
  'challenge.left.v1': renameField('lineId', 'participationId'),
  'challenge.updated.v1': upgradeChallenge,
  'challenge.deleted.v1': renameField('withdrawn', 'revokesPoints'),
  'message.sent.v1': renameField('nth', 'senderSequence'),
  'moderation.decided.v1': renameField('concernedId', 'affectedUserId'),
  'points.decided.v1': ({ decision, ...data }) => ({
    ...data,
    decision: formerDecisions.get(decision) ?? decision,
  }),
  'points.revoked.v1': renameField('withdrawn', 'revoked'),
};

/** The name that an event has in this version. */
export const currentName = (storedName: string): string => formerNames.get(storedName) ?? storedName;

/** The data of an event with the names of this version. */
export function currentData(name: EventName, data: unknown): unknown {
  const upgrade = upgrades[name];
  return upgrade && isData(data) ? upgrade(data) : data;
}
