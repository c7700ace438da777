import { z } from 'zod';
import { ChallengeDetails, ChallengePicture } from './challenges.ts';
import { Message } from './chat.ts';
import { Position } from './geography.ts';
import { DecisionKind, SubjectKind } from './moderation.ts';
import { type ServiceName, serviceNames } from './operation.ts';
import { Id, Timestamp } from './primitives.ts';
import { Privacy } from './privacy.ts';
import { ImplausibilityReason, PointsDecision, PublicUser } from './users.ts';
import { hasAccount } from './values.ts';

/** Version of an entity, so that a replica never goes back to an older state. */
const Version = z.int().positive();

/** More recipients need several events. */
export const maxRecipientsPerEvent = 500;

/** Maximum number of towns of one name in an event. */
export const maxTowns = 20;

const Account = z.object({
  id: Id,
  username: z.string(),
  admin: z.boolean(),
  version: Version,
  /** Absent in older versions. */
  registeredAt: Timestamp.optional(),
});
const ParticipationKey = z.object({ participationId: Id, challengeId: Id, userId: Id });
/** users: the privacy settings that replicas need. Absent in older versions, where everything was public. */
const ReplicatedPrivacy = Privacy.pick({ participation: true, requests: true, presence: true });
/** users: the points before the change. Absent in older versions. */
const pointsBefore = z.int().nonnegative().optional();
/** users: version of a user's points. Absent in older versions, whose points only grew. */
const pointsVersion = z.int().nonnegative().optional();
/** `blockedId` is hidden from `userId`, and the other way round. */
const Block = z.object({ blockId: Id, userId: Id, blockedId: Id, version: Version });
const Friendship = z.object({ requestId: Id, userIds: z.tuple([Id, Id]) });

/**
 * The events on the bus: routing key with version, and payload. A changed payload gets a new version beside the old one.
 */
export const events = {
  /** auth: an account was created. */
  'user.registered.v1': Account,
  /** auth: an account's username or rights changed. */
  'user.account-changed.v1': Account,
  /** auth: an account was deleted. Consumers delete their data of the user, and ignore later events about them. */
  'user.deleted.v1': z.object({ id: Id }),
  /** users: a public profile (without points, which have their own event) or privacy settings changed. */
  'user.profile-changed.v1': z.object({
    user: PublicUser,
    privacy: ReplicatedPrivacy.optional(),
    version: Version,
    pointsBefore,
    pointsVersion,
  }),
  /** auth: one token (tokenId), or all older ones of the user (of a generation below `generation`), are revoked. */
  'token.revoked.v1': z.object({
    userId: Id,
    tokenId: z.string().nullable(),
    issuedBefore: Timestamp.nullable().meta({
      description: 'Used by revocations without a generation: tokens issued earlier are revoked.',
    }),
    generation: z.int().positive().optional().meta({
      description:
        'Tokens of an earlier generation are revoked, whatever their date, since clocks may be wrong.',
    }),
    expiresAt: Timestamp.meta({ description: 'All tokens that it covers have expired by then.' }),
    suspendedUntil: Timestamp.nullable().optional().meta({
      description: 'End of the suspension; null: no longer suspended.',
    }),
  }),
  /** challenges: its creator's username is the one of that moment. Replicas have the current one from `user.profile-changed`. */
  'challenge.created.v1': z.object({ challenge: ChallengeDetails, version: Version }),
  'challenge.updated.v1': z.object({ challenge: ChallengeDetails, version: Version }),
  /** challenges: `position` is the last position on the map; `revokesPoints`: points that were earned with it are revoked. */
  'challenge.deleted.v1': z.object({
    challengeId: Id,
    position: Position.optional(),
    revokesPoints: z.literal(true).optional(),
  }),
  /** places: the position of a challenge that was created without one. */
  'challenge.located.v1': z.object({ challengeId: Id, position: Position }),
  /**
   * places: the towns that the address of a challenge without a position may mean, the largest first; its dates are in the time
   * zone of the first, unless its creator's is as likely.
   */
  'challenge.town-found.v1': z.object({
    challengeId: Id,
    towns: z
      .array(Position.extend({ population: z.int().min(0).optional() }))
      .min(1)
      .max(maxTowns),
  }),
  'challenge.joined.v1': ParticipationKey,
  'challenge.left.v1': ParticipationKey,
  /** participation: `points` are fixed at completion. `flagReason` is for admins only. */
  'challenge.completed.v1': ParticipationKey.extend({
    points: z.int().positive(),
    creatorId: Id,
    completedAt: Timestamp,
    checkedIn: z.boolean().optional(),
    flagReason: ImplausibilityReason.optional(),
    /** The challenge's name and creation time. Absent in older versions. */
    challenge: z.object({ name: z.string(), createdAt: Timestamp }).optional(),
  }),
  /** participation: the photo that is shown as a challenge's picture changed; null: it has none. */
  'challenge.picture-changed.v1': z.object({
    challengeId: Id,
    picture: ChallengePicture.nullable(),
    version: Version,
  }),
  /** participation: `userId` thanked `ownerId` for a completion. Not published when the thanks are withdrawn. */
  'completion.thanked.v1': ParticipationKey.extend({ ownerId: Id }),
  /** users: `awarded` are the points of this challenge, `points` is the user's new total. */
  'points.awarded.v1': z.object({
    userId: Id,
    challengeId: Id,
    awarded: z.int().nonnegative(),
    points: z.int().nonnegative(),
    pointsBefore,
    pointsVersion,
  }),
  /** users: `revoked` are the revoked points, `points` is the user's new total. */
  'points.revoked.v1': z.object({
    userId: Id,
    challengeId: Id,
    revoked: z.int().positive(),
    points: z.int().nonnegative(),
    pointsBefore: z.int().nonnegative(),
    pointsVersion: z.int().positive(),
  }),
  /**
   * users: a decision about flagged points. `title` is the challenge's name if known, `by` the admin, `reason` their message to
   * the user.
   */
  'points.decided.v1': z.object({
    userId: Id,
    challengeId: Id,
    title: z.string(),
    points: z.int().positive(),
    decision: PointsDecision,
    by: Id.nullable(),
    reason: z.string(),
  }),
  /** users: a user's data archive is ready, until `until`. */
  'archive.ready.v1': z.object({ userId: Id, until: Timestamp }),
  /** users: a user's data archive could not be made; they can request it again. */
  'archive.failed.v1': z.object({ userId: Id }),
  /** friends: `userIds` are the sender and the receiver. */
  'friend.requested.v1': Friendship,
  'friend.accepted.v1': Friendship,
  /** friends: declined, canceled or ended. */
  'friend.removed.v1': Friendship,
  /** friends: the blocked user is not notified. */
  'user.blocked.v1': Block,
  'user.unblocked.v1': Block,
  'conversation.created.v1': z.object({ conversationId: Id, senderId: Id, receiverId: Id }),
  /** chat: `senderSequence` is the sender's sequence number in the conversation. Absent in older versions. */
  'message.sent.v1': z.object({
    message: Message,
    receiverId: Id,
    senderSequence: z.int().positive().optional(),
  }),
  /** chat: its sender deleted it. */
  'message.deleted.v1': z.object({ conversationId: Id, messageId: Id, sender: Id, receiverId: Id }),
  /** chat: `shown`: whether the reader's settings show read marks to the other person. */
  'message.read.v1': z.object({
    conversationId: Id,
    userId: Id,
    otherId: Id,
    messageId: Id,
    shown: z.boolean(),
  }),
  /** notifications: the notifications of these users were added, read or retracted. */
  'notifications.changed.v1': z.object({ userIds: z.array(Id).min(1).max(maxRecipientsPerEvent) }),
  /** moderation: something was reported; the reporter is not included. */
  'report.filed.v1': z.object({ caseId: z.string() }),
  /** moderation: the result of a decision about content or a user; `version` grows within a case. */
  'moderation.decided.v1': z.object({
    caseId: z.string(),
    kind: SubjectKind,
    subjectId: Id,
    title: z.string(),
    affectedUserId: Id,
    version: Version,
    decision: DecisionKind,
    byReports: z.boolean(),
    state: z.enum(['live', 'hidden', 'deleted']),
    suspendedUntil: Timestamp.nullable(),
  }),
  /** auth: a suspended user, who has no session, appeals. */
  'appeal.filed.v1': z.object({ userId: Id, comment: z.string() }),
  /** Any service: it rebuilds its replicas; owners replay a snapshot to that service only. */
  'replica.rebuild-requested.v1': z.object({ service: z.enum(serviceNames) }),
  /**
   * Any service, to one that rebuilds a replica: the snapshot is complete. Rows of the owner that were not replayed since `since`
   * no longer exist.
   */
  'replica.snapshot-completed.v1': z.object({ owner: z.enum(serviceNames), since: Timestamp }),
};

/** The events that each service consumes. The bus declares queues and bindings from it, in whatever order services start. */
export const subscriptions = {
  auth: ['moderation.decided.v1', 'user.deleted.v1', 'replica.rebuild-requested.v1', 'token.revoked.v1'],
  users: [
    'user.registered.v1',
    'user.account-changed.v1',
    'user.deleted.v1',
    'challenge.completed.v1',
    'challenge.deleted.v1',
    'friend.requested.v1',
    'friend.accepted.v1',
    'friend.removed.v1',
    'replica.rebuild-requested.v1',
    'user.blocked.v1',
    'user.unblocked.v1',
    'replica.snapshot-completed.v1',
    'token.revoked.v1',
  ],
  challenges: [
    'user.profile-changed.v1',
    'user.deleted.v1',
    'challenge.located.v1',
    'challenge.town-found.v1',
    'moderation.decided.v1',
    'challenge.joined.v1',
    'challenge.left.v1',
    'challenge.picture-changed.v1',
    'user.blocked.v1',
    'user.unblocked.v1',
    'replica.rebuild-requested.v1',
    'replica.snapshot-completed.v1',
    'token.revoked.v1',
  ],
  participation: [
    'report.filed.v1',
    'moderation.decided.v1',
    'user.profile-changed.v1',
    'user.deleted.v1',
    'points.awarded.v1',
    'points.revoked.v1',
    'challenge.created.v1',
    'challenge.updated.v1',
    'challenge.deleted.v1',
    'friend.accepted.v1',
    'friend.removed.v1',
    'replica.rebuild-requested.v1',
    'user.blocked.v1',
    'user.unblocked.v1',
    'replica.snapshot-completed.v1',
    'token.revoked.v1',
  ],
  friends: [
    'user.profile-changed.v1',
    'user.deleted.v1',
    'points.awarded.v1',
    'points.revoked.v1',
    'replica.rebuild-requested.v1',
    'replica.snapshot-completed.v1',
    'token.revoked.v1',
  ],
  chat: [
    'moderation.decided.v1',
    'user.profile-changed.v1',
    'user.deleted.v1',
    'points.awarded.v1',
    'points.revoked.v1',
    'friend.accepted.v1',
    'friend.removed.v1',
    'user.blocked.v1',
    'user.unblocked.v1',
    'replica.snapshot-completed.v1',
    'token.revoked.v1',
  ],
  notifications: [
    'archive.ready.v1',
    'archive.failed.v1',
    'moderation.decided.v1',
    'points.decided.v1',
    'user.profile-changed.v1',
    'user.deleted.v1',
    'challenge.created.v1',
    'challenge.updated.v1',
    'challenge.deleted.v1',
    'challenge.joined.v1',
    'challenge.left.v1',
    'challenge.completed.v1',
    'completion.thanked.v1',
    'friend.requested.v1',
    'friend.accepted.v1',
    'friend.removed.v1',
    'user.blocked.v1',
    'user.unblocked.v1',
    'replica.snapshot-completed.v1',
    'token.revoked.v1',
  ],
  moderation: [
    'report.filed.v1',
    'appeal.filed.v1',
    'points.decided.v1',
    'user.registered.v1',
    'user.profile-changed.v1',
    'user.deleted.v1',
    'challenge.created.v1',
    'challenge.updated.v1',
    'challenge.deleted.v1',
    'replica.rebuild-requested.v1',
    'replica.snapshot-completed.v1',
    'token.revoked.v1',
  ],
  places: ['challenge.created.v1', 'challenge.updated.v1', 'token.revoked.v1'],
  realtime: [
    'user.profile-changed.v1',
    'user.deleted.v1',
    'challenge.updated.v1',
    'challenge.deleted.v1',
    'points.awarded.v1',
    'points.revoked.v1',
    'friend.requested.v1',
    'friend.accepted.v1',
    'friend.removed.v1',
    'conversation.created.v1',
    'message.sent.v1',
    'message.deleted.v1',
    'message.read.v1',
    'notifications.changed.v1',
    'replica.snapshot-completed.v1',
    'token.revoked.v1',
  ],
} as const satisfies Record<ServiceName, readonly (keyof typeof events)[]>;

export type EventName = keyof typeof events;
export type EventData<N extends EventName> = z.infer<(typeof events)[N]>;

export const EventEnvelope = z.object({
  id: z.uuid(),
  name: z.string(),
  occurredAt: Timestamp,
  requestId: z.string().optional(),
  traceparent: z.string().optional(),
  replayed: Timestamp.optional(),
  data: z.unknown(),
});

/**
 * An event with its metadata: a unique `id`, the `requestId` of the call that caused it, and the `traceparent` of its trace. A
 * `replayed` event is part of a snapshot for a service that rebuilds a replica; its value is when the snapshot began.
 */
export type Event<N extends EventName = EventName> = {
  [K in N]: {
    id: string;
    name: K;
    occurredAt: string;
    requestId?: string | undefined;
    traceparent?: string | undefined;
    replayed?: string | undefined;
    data: EventData<K>;
  };
}[N];

/**
 * The users whose data an event carries: consumers store none of it for a deleted user. Messages and challenges stay, without
 * the user's name.
 */
export function userIdsOf(event: Event): readonly number[] {
  switch (event.name) {
    case 'user.registered.v1':
    case 'user.account-changed.v1':
      return [event.data.id];
    case 'user.profile-changed.v1':
      return [event.data.user.id];
    case 'challenge.created.v1':
    case 'challenge.updated.v1': {
      const { creator } = event.data.challenge;
      return hasAccount(creator) ? [creator.id] : [];
    }
    case 'challenge.joined.v1':
    case 'challenge.left.v1':
    case 'challenge.completed.v1':
    case 'points.awarded.v1':
    case 'points.revoked.v1':
    case 'points.decided.v1':
    case 'appeal.filed.v1':
    case 'archive.ready.v1':
    case 'archive.failed.v1':
      return [event.data.userId];
    case 'moderation.decided.v1':
      return [event.data.affectedUserId];
    case 'friend.requested.v1':
    case 'friend.accepted.v1':
    case 'friend.removed.v1':
      return event.data.userIds;
    case 'completion.thanked.v1':
      return [event.data.userId, event.data.ownerId];
    case 'challenge.picture-changed.v1':
      return event.data.picture ? [event.data.picture.userId] : [];
    case 'user.blocked.v1':
    case 'user.unblocked.v1':
      return [event.data.userId, event.data.blockedId];
    default:
      return [];
  }
}
