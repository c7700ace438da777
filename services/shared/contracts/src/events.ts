import { z } from 'zod';
import { ChallengeDetails } from './challenges.ts';
import { Message } from './chat.ts';
import { deletedUsername } from './deleted-user.ts';
import { Position } from './geography.ts';
import { DecisionKind, SubjectKind } from './moderation.ts';
import { type ServiceName, serviceNames } from './operation.ts';
import { Id, Moment } from './primitives.ts';
import { Privacy } from './privacy.ts';
import { Doubt, PointsDecision, PublicUser } from './users.ts';

/** Counts the changes of one thing, so that a replica never goes back to an older state. */
const Version = z.int().positive();

/** More people are told of in several events. */
export const maxRecipientsPerEvent = 500;

/** As many towns of one name are told of. */
export const maxTowns = 20;

const Account = z.object({
  id: Id,
  username: z.string(),
  admin: z.boolean(),
  version: Version,
  /** Older versions did not say it, nor keep it. */
  registeredAt: Moment.optional(),
});
const LineKey = z.object({ lineId: Id, challengeId: Id, userId: Id });
/** users: what others need to know of it; older versions let everybody see all. */
const ToldPrivacy = Privacy.pick({ participation: true, requests: true, presence: true });
/** users: the points until then, where they changed; older versions did not say. */
const pointsBefore = z.int().nonnegative().optional();
/** users: counts the changes of somebody's points; older versions, whose points only grew, did not say. */
const pointsVersion = z.int().nonnegative().optional();
/** `blockedId` is hidden from `userId`, and the other way round. */
const Block = z.object({ blockId: Id, userId: Id, blockedId: Id, version: Version });
const Friendship = z.object({ requestId: Id, userIds: z.tuple([Id, Id]) });

/**
 * What is told on the bus: the routing key, with its version, and what the event carries. A shape that
 * changes gets a new version beside the old one.
 */
export const events = {
  /** auth: an account was made. */
  'user.registered.v1': Account,
  /** auth: an account's username or rights changed. */
  'user.account-changed.v1': Account,
  /** auth: an account is no more. Whoever keeps anything of the person forgets it, and what is told of them later. */
  'user.deleted.v1': z.object({ id: Id }),
  /** users: what everybody sees of a person changed (points have their own event), or what they let others see. */
  'user.profile-changed.v1': z.object({
    user: PublicUser,
    privacy: ToldPrivacy.optional(),
    version: Version,
    pointsBefore,
    pointsVersion,
  }),
  /** auth: one token (tokenId), or all older ones of the user (of a generation below `generation`), are revoked. */
  'token.revoked.v1': z.object({
    userId: Id,
    tokenId: z.string().nullable(),
    issuedBefore: Moment.nullable().meta({
      description:
        'Decides in revocations of before there was a generation: tokens dated earlier are revoked.',
    }),
    generation: z.int().positive().optional().meta({
      description:
        'Tokens of an earlier generation are revoked, whatever their date: clocks differ, and may be wrong.',
    }),
    expiresAt: Moment.meta({ description: 'Every token it speaks of has run out by then.' }),
    suspendedUntil: Moment.nullable().optional().meta({
      description: 'The account is suspended until then; null: it is so no more.',
    }),
  }),
  'challenge.created.v1': z.object({ challenge: ChallengeDetails, version: Version }),
  'challenge.updated.v1': z.object({ challenge: ChallengeDetails, version: Version }),
  /** challenges: `position` is where it was, if it was on the map; `withdrawn` that nothing was ever earned with it. */
  'challenge.deleted.v1': z.object({
    challengeId: Id,
    position: Position.optional(),
    withdrawn: z.literal(true).optional(),
  }),
  /** places: where a challenge is that was made without a position. */
  'challenge.located.v1': z.object({ challengeId: Id, position: Position }),
  /**
   * places: the towns that the address of a challenge without a position may mean, the one with the most people first. Its days are
   * those of their time zone.
   */
  'challenge.town-found.v1': z.object({
    challengeId: Id,
    towns: z.array(Position).min(1).max(maxTowns),
  }),
  'challenge.joined.v1': LineKey,
  'challenge.left.v1': LineKey,
  /** participation: what it is worth was fixed when it was completed. `doubt` is for admins alone. */
  'challenge.completed.v1': LineKey.extend({
    points: z.int().positive(),
    creatorId: Id,
    completedAt: Moment,
    checkedIn: z.boolean().optional(),
    doubt: Doubt.optional(),
    /** What the challenge was called then, and when it was made; older versions did not say. */
    challenge: z.object({ name: z.string(), createdAt: Moment }).optional(),
  }),
  /** users: `points` is the person's new total, `awarded` what this challenge added to it. */
  'points.awarded.v1': z.object({
    userId: Id,
    challengeId: Id,
    awarded: z.int().nonnegative(),
    points: z.int().nonnegative(),
    pointsBefore,
    pointsVersion,
  }),
  /** users: `withdrawn` is what this challenge was worth to the person, `points` their new total. */
  'points.withdrawn.v1': z.object({
    userId: Id,
    challengeId: Id,
    withdrawn: z.int().positive(),
    points: z.int().nonnegative(),
    pointsBefore: z.int().nonnegative(),
    pointsVersion: z.int().positive(),
  }),
  /**
   * users: what became of points that are doubted. `title` is the challenge's name, as far as it is known; `by` the admin, `reason`
   * what they tell the person.
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
  /** users: all that is held of somebody is gathered, and there for them until then. */
  'archive.made.v1': z.object({ userId: Id, until: Moment }),
  /** friends: `userIds` is who asked and who was asked. */
  'friend.requested.v1': Friendship,
  'friend.accepted.v1': Friendship,
  /** friends: declined, cancelled or ended. */
  'friend.removed.v1': Friendship,
  /** friends: the blocked one is not told. */
  'user.blocked.v1': Block,
  'user.unblocked.v1': Block,
  'conversation.created.v1': z.object({ conversationId: Id, senderId: Id, receiverId: Id }),
  /** chat: `nth` is the sender's how-manieth message in the conversation it is; older versions did not say. */
  'message.sent.v1': z.object({ message: Message, receiverId: Id, nth: z.int().positive().optional() }),
  /** chat: `shown` is whether the reader lets the other one see it. */
  'message.read.v1': z.object({
    conversationId: Id,
    userId: Id,
    otherId: Id,
    messageId: Id,
    shown: z.boolean(),
  }),
  /** notifications: these people were told of something, or it was read or taken away: they may ask again. */
  'notifications.changed.v1': z.object({ userIds: z.array(Id).min(1).max(maxRecipientsPerEvent) }),
  /** moderation: something was reported; who did it is not told. */
  'report.made.v1': z.object({ caseId: z.string() }),
  /** moderation: what a decision made of a thing, or of a person. Of one case later ones have greater versions. */
  'moderation.decided.v1': z.object({
    caseId: z.string(),
    kind: SubjectKind,
    subjectId: Id,
    title: z.string(),
    concernedId: Id,
    version: Version,
    decision: DecisionKind,
    byReports: z.boolean(),
    state: z.enum(['live', 'hidden', 'deleted']),
    suspendedUntil: Moment.nullable(),
  }),
  /** auth: somebody who is suspended, and so has no session, appeals. */
  'appeal.made.v1': z.object({ userId: Id, words: z.string() }),
  /** Any service: it lost what it keeps of others; they tell it again, it alone, what is so now. */
  'replica.requested.v1': z.object({ service: z.enum(serviceNames) }),
  /**
   * Any service, to one that asked: that was all that there is. What the asker keeps of the owner's, and heard nothing of
   * since `since`, is no more.
   */
  'replica.told.v1': z.object({ owner: z.enum(serviceNames), since: Moment }),
};

/** Which events each service reacts to. The bus declares its queues and bindings from this, whoever starts first. */
export const subscriptions = {
  auth: ['moderation.decided.v1', 'user.deleted.v1', 'replica.requested.v1', 'token.revoked.v1'],
  users: [
    'user.registered.v1',
    'user.account-changed.v1',
    'user.deleted.v1',
    'challenge.completed.v1',
    'challenge.deleted.v1',
    'friend.requested.v1',
    'friend.accepted.v1',
    'friend.removed.v1',
    'replica.requested.v1',
    'user.blocked.v1',
    'user.unblocked.v1',
    'replica.told.v1',
    'token.revoked.v1',
  ],
  challenges: [
    'user.profile-changed.v1',
    'user.deleted.v1',
    'challenge.created.v1',
    'challenge.updated.v1',
    'challenge.deleted.v1',
    'challenge.located.v1',
    'challenge.town-found.v1',
    'moderation.decided.v1',
    'challenge.joined.v1',
    'challenge.left.v1',
    'replica.requested.v1',
    'replica.told.v1',
    'token.revoked.v1',
  ],
  participation: [
    'user.profile-changed.v1',
    'user.deleted.v1',
    'points.awarded.v1',
    'points.withdrawn.v1',
    'challenge.created.v1',
    'challenge.updated.v1',
    'challenge.deleted.v1',
    'friend.accepted.v1',
    'friend.removed.v1',
    'replica.requested.v1',
    'user.blocked.v1',
    'user.unblocked.v1',
    'replica.told.v1',
    'token.revoked.v1',
  ],
  friends: [
    'user.profile-changed.v1',
    'user.deleted.v1',
    'points.awarded.v1',
    'points.withdrawn.v1',
    'replica.requested.v1',
    'replica.told.v1',
    'token.revoked.v1',
  ],
  chat: [
    'moderation.decided.v1',
    'user.profile-changed.v1',
    'user.deleted.v1',
    'points.awarded.v1',
    'points.withdrawn.v1',
    'friend.accepted.v1',
    'friend.removed.v1',
    'user.blocked.v1',
    'user.unblocked.v1',
    'replica.told.v1',
    'token.revoked.v1',
  ],
  notifications: [
    'archive.made.v1',
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
    'friend.requested.v1',
    'friend.accepted.v1',
    'friend.removed.v1',
    'user.blocked.v1',
    'user.unblocked.v1',
    'replica.told.v1',
    'token.revoked.v1',
  ],
  moderation: [
    'report.made.v1',
    'appeal.made.v1',
    'points.decided.v1',
    'user.registered.v1',
    'user.profile-changed.v1',
    'user.deleted.v1',
    'challenge.created.v1',
    'challenge.updated.v1',
    'challenge.deleted.v1',
    'replica.requested.v1',
    'replica.told.v1',
    'token.revoked.v1',
  ],
  places: ['challenge.created.v1', 'challenge.updated.v1', 'token.revoked.v1'],
  realtime: [
    'user.profile-changed.v1',
    'user.deleted.v1',
    'challenge.updated.v1',
    'challenge.deleted.v1',
    'points.awarded.v1',
    'points.withdrawn.v1',
    'friend.requested.v1',
    'friend.accepted.v1',
    'friend.removed.v1',
    'conversation.created.v1',
    'message.sent.v1',
    'message.read.v1',
    'notifications.changed.v1',
    'replica.told.v1',
    'token.revoked.v1',
  ],
} as const satisfies Record<ServiceName, readonly (keyof typeof events)[]>;

export type EventName = keyof typeof events;
export type EventData<N extends EventName> = z.infer<(typeof events)[N]>;

export const EventEnvelope = z.object({
  id: z.uuid(),
  name: z.string(),
  occurredAt: Moment,
  requestId: z.string().optional(),
  traceparent: z.string().optional(),
  replayed: Moment.optional(),
  data: z.unknown(),
});

/**
 * An event on its way: `id` is unique for ever, `requestId` is that of the call it came from, and
 * `traceparent` the step of its trace. A `replayed` one is no
 * news but what is so, told to a service that lost its replica, and says when its owner began to tell.
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
 * Whom an event brings something of that services keep: none of it is kept of somebody who is deleted. Messages stay, and
 * challenges that tell their maker's name no more.
 */
export function peopleOf(event: Event): readonly number[] {
  switch (event.name) {
    case 'user.registered.v1':
    case 'user.account-changed.v1':
      return [event.data.id];
    case 'user.profile-changed.v1':
      return [event.data.user.id];
    case 'challenge.created.v1':
    case 'challenge.updated.v1': {
      const { id, username } = event.data.challenge.creator;
      return username === deletedUsername ? [] : [id];
    }
    case 'challenge.joined.v1':
    case 'challenge.left.v1':
    case 'challenge.completed.v1':
    case 'points.awarded.v1':
    case 'points.withdrawn.v1':
    case 'points.decided.v1':
    case 'appeal.made.v1':
    case 'archive.made.v1':
      return [event.data.userId];
    case 'moderation.decided.v1':
      return [event.data.concernedId];
    case 'friend.requested.v1':
    case 'friend.accepted.v1':
    case 'friend.removed.v1':
      return event.data.userIds;
    case 'user.blocked.v1':
    case 'user.unblocked.v1':
      return [event.data.userId, event.data.blockedId];
    default:
      return [];
  }
}
