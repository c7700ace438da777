import { maxUnread, messagesPerPage } from '@wayquest/contracts';
import { z } from 'zod';
import type { Action, Call } from './history.ts';

const Id = z.number();

/** The final state, as each person can read it. */
export const FinalState = z.object({
  people: z.array(
    z.object({
      id: Id,
      points: z.number(),
      firstName: z.string(),
      participations: z.array(z.object({ challengeId: Id, completed: z.boolean(), points: z.number() })),
      friends: z.array(z.object({ id: Id, firstName: z.string() })),
      /** Friend requests that wait for an answer, by the other person. */
      sentRequests: z.array(Id),
      receivedRequests: z.array(Id),
      blocked: z.array(Id),
      conversations: z.array(z.object({ id: Id, otherId: Id, unread: z.number(), readId: Id.nullable() })),
      /** Of completions: how many people completed which of their challenges. */
      notifications: z.array(z.object({ challengeId: Id, count: z.number() })),
    }),
  ),
  /** Everything that somebody created, also by calls with an unknown outcome. */
  challenges: z.array(z.object({ id: Id, name: z.string(), points: z.number() })),
  /** The people of the leaderboard, from the top. */
  leaderboard: z.array(z.object({ id: Id, points: z.number() })),
  /** Messages of their conversations, in order. */
  messages: z.array(
    z.object({
      conversationId: Id,
      all: z.array(z.object({ id: Id, clientId: z.string().nullable(), sender: Id })),
    }),
  ),
  /** Tabs that were open all the time, with the ids of the messages that they have. */
  tabs: z.array(z.object({ personId: Id, conversationId: Id, held: z.array(Id) })),
  /** Usernames that can log in. */
  accounts: z.array(z.string()),
  /** Reports, as admins see them. */
  reports: z.array(z.object({ by: Id, userId: Id })),
  deadLetters: z.number(),
});
export type FinalState = z.infer<typeof FinalState>;

const callsOf = <K extends Action['kind']>(calls: Call[], kind: K) =>
  calls.flatMap((call) => {
    const { action } = call;
    return isOf(action, kind) ? [{ ...call, action }] : [];
  });

const isOf = <K extends Action['kind']>(action: Action, kind: K): action is Extract<Action, { kind: K }> =>
  action.kind === kind;

const isAcknowledged = ({ outcome }: { outcome: string }) => outcome === 'ok';
const isPossible = ({ outcome }: { outcome: string }) => outcome !== 'rejected';
const groupBy = <T, K>(all: T[], keyOf: (one: T) => K): Map<K, T[]> => {
  const groups = new Map<K, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
};
const duplicatesIn = <T>(all: T[]) => all.filter((one, index) => all.indexOf(one) !== index);

/** Collects the sentences of expectations that do not hold. */
function createViolations() {
  const violations: string[] = [];
  return {
    violations,
    expectThat: (holds: boolean, violation: string) => void (holds || violations.push(violation)),
  };
}

/**
 * Returns the violations of a history and its final state as sentences; none if they are consistent. Every
 * acknowledged write is stored exactly once, nothing is stored that nobody wrote, everybody reads their own writes,
 * points match the ledger, two people have one conversation, and each reader got every message once, in order. After
 * Kingsbury's Jepsen: the checker examines the history, not counts.
 */
export function findViolations(calls: Call[], finalState: FinalState): string[] {
  return [
    ...violationsOfAccounts(calls, finalState),
    ...violationsOfChallenges(calls, finalState),
    ...violationsOfParticipations(calls, finalState),
    ...violationsOfFriendships(calls, finalState),
    ...violationsOfFriendLists(finalState),
    ...violationsOfNames(calls, finalState),
    ...violationsOfLeaderboard(finalState),
    ...violationsOfNotifications(calls, finalState),
    ...violationsOfMessages(calls, finalState),
    ...violationsOfReads(calls),
    ...(finalState.deadLetters ? [`${finalState.deadLetters} events are dead letters`] : []),
  ];
}

/** Violations of sign-ups and logins. */
function violationsOfAccounts(calls: Call[], { accounts }: FinalState): string[] {
  const { violations, expectThat } = createViolations();
  const signedUp = callsOf(calls, 'sign up').filter(isAcknowledged);
  for (const { action } of signedUp)
    expectThat(accounts.includes(action.username), `${action.username} signed up and cannot log in`);
  for (const { action, began } of callsOf(calls, 'log in').filter(({ outcome }) => outcome === 'rejected'))
    expectThat(
      !signedUp.some((call) => call.action.username === action.username && call.ended < began),
      `${action.username} had signed up and could not log in`,
    );
  return violations;
}

/** Violations of created and deleted challenges. */
function violationsOfChallenges(calls: Call[], { challenges }: FinalState): string[] {
  const { violations, expectThat } = createViolations();
  const names = challenges.map(({ name }) => name);
  const deletions = callsOf(calls, 'delete a challenge');
  const creations = callsOf(calls, 'create a challenge');
  for (const { action } of creations.filter(isAcknowledged))
    expectThat(
      names.includes(action.name) ||
        deletions.some((call) => isPossible(call) && call.action.challengeId === action.challengeId),
      `${action.name} was created and is missing`,
    );
  for (const { action } of deletions.filter(isAcknowledged))
    expectThat(
      !challenges.some(({ id }) => id === action.challengeId),
      `challenge ${action.challengeId} was deleted and is still there`,
    );
  for (const name of duplicatesIn(names)) violations.push(`${name} is there twice`);
  for (const name of names)
    expectThat(
      creations.some((call) => isPossible(call) && call.action.name === name),
      `${name} was created by nobody`,
    );
  return violations;
}

/** Violations of participations and of the points for them. */
function violationsOfParticipations(calls: Call[], { people, challenges }: FinalState): string[] {
  const { violations, expectThat } = createViolations();
  const pointsOf = new Map(challenges.map((challenge) => [challenge.id, challenge.points]));
  for (const { id, participations, points } of people) {
    const joined = participations.map(({ challengeId }) => challengeId);
    const completed = participations.filter((participation) => participation.completed);
    const own = calls.filter(({ by }) => by === id);
    const joins = callsOf(own, 'join');
    const leaves = callsOf(own, 'leave');
    const completions = callsOf(own, 'complete');
    const mayHaveHappened = (
      all: typeof joins | typeof completions | typeof leaves,
      challengeId: number,
    ): boolean => all.some((call) => isPossible(call) && call.action.challengeId === challengeId);
    for (const one of duplicatesIn(joined)) violations.push(`${id} has two participations in ${one}`);
    for (const { action } of joins.filter(isAcknowledged))
      expectThat(
        joined.includes(action.challengeId) || mayHaveHappened(leaves, action.challengeId),
        `${id} joined ${action.challengeId} and has no participation`,
      );
    // Nobody joins again what they left, but an earlier call with an unknown outcome may have joined later.
    const mayJoinLate = ({ challengeId }: { challengeId: number }) =>
      joins.some((call) => call.outcome === 'unknown' && call.action.challengeId === challengeId);
    for (const { action } of leaves.filter(isAcknowledged))
      expectThat(
        mayJoinLate(action) || !joined.includes(action.challengeId),
        `${id} left ${action.challengeId} and has a participation`,
      );
    for (const { action } of completions.filter(isAcknowledged))
      expectThat(
        completed.some(({ challengeId }) => challengeId === action.challengeId),
        `${id} completed ${action.challengeId}, which is not completed`,
      );
    for (const one of joined)
      expectThat(mayHaveHappened(joins, one), `${id} has a participation in ${one} and never joined it`);
    for (const { challengeId, points: got } of completed) {
      expectThat(
        mayHaveHappened(completions, challengeId),
        `${challengeId} is completed by ${id}, who never completed it`,
      );
      const worth = pointsOf.get(challengeId) ?? got;
      expectThat(got === worth, `${id} got ${got} points for ${challengeId}, which is worth ${worth}`);
    }
    const earned = completed.reduce((sum, participation) => sum + participation.points, 0);
    expectThat(points === earned, `${id} has ${points} points and earned ${earned}`);
  }
  return violations;
}

/** Violations of the leaderboard. */
function violationsOfLeaderboard({ people, leaderboard }: FinalState): string[] {
  const { violations, expectThat } = createViolations();
  for (const one of duplicatesIn(leaderboard.map(({ id }) => id)))
    violations.push(`${one} is on the leaderboard twice`);
  for (const { id, points } of people) {
    const shown = leaderboard.find((one) => one.id === id)?.points ?? 0;
    expectThat(shown === points, `${id} has ${points} points, and ${shown} on the leaderboard`);
  }
  for (const [index, { id, points }] of leaderboard.entries())
    expectThat(points <= (leaderboard[index - 1]?.points ?? points), `${id} is too low on the leaderboard`);
  return violations;
}

/** Violations of notifications of completions: nobody reads them meanwhile, so that each counts all who completed. */
function violationsOfNotifications(calls: Call[], { people, challenges }: FinalState): string[] {
  const { violations, expectThat } = createViolations();
  const blocks = callsOf(calls, 'block').filter(isPossible);
  const completions = callsOf(calls, 'complete').filter(isPossible);
  const areSeparated = (one: number, other: number) =>
    blocks.some(
      ({ by, action }) => (by === one && action.userId === other) || (by === other && action.userId === one),
    );
  for (const { by: creatorId, action } of callsOf(calls, 'create a challenge')) {
    const creator = people.find(({ id }) => id === creatorId);
    const { challengeId } = action;
    if (!creator || !challenges.some(({ id }) => id === challengeId)) continue;
    const byOthers = completions.filter((call) => call.action.challengeId === challengeId);
    const { count = 0 } = creator.notifications.find((one) => one.challengeId === challengeId) ?? {};
    const certain = byOthers.filter((call) => isAcknowledged(call) && !areSeparated(creatorId, call.by));
    const atLeast = new Set(certain.map(({ by }) => by)).size;
    const atMost = new Set(byOthers.map(({ by }) => by)).size;
    expectThat(
      count >= atLeast && count <= atMost,
      `${creatorId} was notified of ${count} completions of ${challengeId} instead of ${atLeast}`,
    );
  }
  return violations;
}

/** Violations in what people see of their friends. */
function violationsOfFriendLists({ people: all }: FinalState): string[] {
  const { violations, expectThat } = createViolations();
  const people = new Map(all.map((person) => [person.id, person]));
  for (const { id, friends, conversations } of all) {
    for (const one of duplicatesIn(friends.map((friend) => friend.id)))
      violations.push(`${id} is a friend of ${one} twice`);
    for (const one of duplicatesIn(conversations.map(({ otherId }) => otherId)))
      violations.push(`${id} has two conversations with ${one}`);
    for (const friend of friends) {
      const ownId = conversations.find(({ otherId }) => otherId === friend.id)?.id;
      const friendsId = people.get(friend.id)?.conversations.find(({ otherId }) => otherId === id)?.id;
      expectThat(
        ownId !== undefined && ownId === friendsId,
        `${id} and ${friend.id} do not share one conversation`,
      );
      const { firstName } = people.get(friend.id) ?? {};
      expectThat(
        friend.firstName === firstName,
        `${friend.id} is called ${firstName}, and ${friend.firstName} among the friends of ${id}`,
      );
    }
  }
  return violations;
}

/** Violations of changed names. */
function violationsOfNames(calls: Call[], { people }: FinalState): string[] {
  const { violations, expectThat } = createViolations();
  for (const { id, firstName } of people) {
    const changes = callsOf(calls, 'change the name').filter((call) => call.by === id && isPossible(call));
    const last = changes.findLast(isAcknowledged);
    if (!last) continue;
    // A call with an unknown outcome may have taken effect later.
    const possibleNames = changes
      .filter((call) => !isAcknowledged(call) || call.ended >= last.began)
      .map(({ action }) => action.firstName);
    expectThat(
      possibleNames.includes(firstName),
      `${id} is called ${firstName} instead of ${possibleNames.join(' or ')}`,
    );
  }
  return violations;
}

/** Violations of friendships and blocks. */
function violationsOfFriendships(calls: Call[], { people, reports }: FinalState): string[] {
  const { violations, expectThat } = createViolations();
  const friendsOf = (id: number) =>
    people.find((person) => person.id === id)?.friends.map((friend) => friend.id) ?? [];
  const sentBy = (id: number) => people.find((person) => person.id === id)?.sentRequests ?? [];
  // A call with an unknown outcome may have taken effect later.
  const mayEndAfter = (call: Call, other: Call) => !isAcknowledged(call) || call.ended >= other.began;
  const isBetween = (one: number, other: number) => (call: { by: number; with: number }) =>
    (call.by === one && call.with === other) || (call.by === other && call.with === one);
  const friendships = [...callsOf(calls, 'request friendship'), ...callsOf(calls, 'accept')]
    .filter(isPossible)
    .map((call) => ({ ...call, with: call.action.friendId }));
  const unfriendCalls = callsOf(calls, 'unfriend').map((call) => ({ ...call, with: call.action.friendId }));
  const blocks = callsOf(calls, 'block').map((call) => ({ ...call, with: call.action.userId }));

  for (const { by, action } of callsOf(calls, 'accept').filter(isAcknowledged)) {
    if ([...unfriendCalls, ...blocks].filter(isPossible).some(isBetween(by, action.friendId))) continue;
    for (const [one, other] of [
      [by, action.friendId],
      [action.friendId, by],
    ] as const)
      expectThat(friendsOf(one).includes(other), `${one} and ${other} became friends, but are not`);
  }
  for (const separation of [...unfriendCalls, ...blocks].filter(isAcknowledged)) {
    const mayBeFriendsAgain = friendships
      .filter(isBetween(separation.by, separation.with))
      .some((call) => mayEndAfter(call, separation));
    const isBlock = separation.action.kind === 'block';
    expectThat(
      (mayBeFriendsAgain && !isBlock) || !friendsOf(separation.by).includes(separation.with),
      `${separation.by} and ${separation.with} were separated, but are friends`,
    );
  }
  for (const request of callsOf(calls, 'request friendship').filter(isAcknowledged)) {
    const { by, action } = request;
    const mayBeGone = [...unfriendCalls, ...blocks]
      .filter(isBetween(by, action.friendId))
      .some((call) => isPossible(call) && (call.action.kind === 'block' || mayEndAfter(call, request)));
    expectThat(
      mayBeGone || friendsOf(by).includes(action.friendId) || sentBy(by).includes(action.friendId),
      `${by} asked ${action.friendId} to be friends, but the request is not stored`,
    );
  }
  for (const { id, sentRequests } of people) {
    for (const other of duplicatesIn(sentRequests))
      violations.push(`${id} has two friend requests to ${other}`);
    for (const other of sentRequests) {
      expectThat(
        callsOf(calls, 'request friendship').some(
          (call) => isPossible(call) && call.by === id && call.action.friendId === other,
        ),
        `${id} has a friend request to ${other} and never asked`,
      );
      expectThat(
        people.find((person) => person.id === other)?.receivedRequests.includes(id) ?? true,
        `${other} does not see the friend request of ${id}`,
      );
    }
  }
  for (const { by, action } of blocks.filter(isAcknowledged))
    expectThat(
      people.some(({ id, blocked }) => id === by && blocked.includes(action.userId)),
      `${by} blocked ${action.userId}, but the block is not stored`,
    );
  for (const { by, action } of callsOf(calls, 'report').filter(isAcknowledged)) {
    const times = reports.filter((one) => one.by === by && one.userId === action.userId).length;
    expectThat(times > 0, `${by} reported ${action.userId}, but the report is not stored`);
    expectThat(times < 2, `${by} reported ${action.userId} twice`);
  }
  return violations;
}

function violationsOfMessages(calls: Call[], { people, messages, tabs }: FinalState): string[] {
  const violations: string[] = [];
  const sends = callsOf(calls, 'send');
  const found = new Map(messages.map(({ conversationId, all }) => [conversationId, all]));
  // Also conversations that nobody has any more.
  const conversations = new Set([...found.keys(), ...sends.map(({ action }) => action.conversationId)]);
  for (const conversation of conversations) {
    const all = found.get(conversation) ?? [];
    const clientIds = all.map(({ clientId }) => clientId);
    const attempts = groupBy(
      sends.filter(({ action }) => action.conversationId === conversation),
      ({ action }) => action.clientId,
    );
    for (const one of duplicatesIn(clientIds)) violations.push(`message ${one} is in ${conversation} twice`);
    for (const name of clientIds)
      if (name !== null && !attempts.has(name))
        violations.push(`message ${name} in ${conversation} was sent by nobody`);
    for (const [index, { id }] of all.entries())
      if (index && id !== (all[index - 1]?.id ?? 0) + 1)
        violations.push(`a message is missing before ${id} in ${conversation}`);
    // A message that was acknowledged before another one was first sent precedes it.
    const order: { began: number; acknowledged: number; place: number; name: string }[] = [];
    for (const [name, attemptsOfMessage] of attempts) {
      const place = clientIds.indexOf(name);
      const acknowledgments = attemptsOfMessage.filter(isAcknowledged).map(({ ended }) => ended);
      if (acknowledgments.length && place < 0)
        violations.push(`message ${name} was acknowledged and is not in ${conversation}`);
      if (place >= 0)
        order.push({
          ...{ place, name, began: Math.min(...attemptsOfMessage.map(({ began }) => began)) },
          acknowledged: Math.min(Number.POSITIVE_INFINITY, ...acknowledgments),
        });
    }
    for (const one of order)
      for (const other of order)
        if (one.acknowledged < other.began && one.place > other.place)
          violations.push(`message ${one.name} was sent before ${other.name} but comes after it`);
  }
  for (const person of people)
    for (const { id, unread, readId } of person.conversations) {
      const others = (found.get(id) ?? []).filter(({ sender }) => sender !== person.id);
      const expected = Math.min(maxUnread, others.filter((message) => message.id > (readId ?? 0)).length);
      if (unread !== expected)
        violations.push(`${person.id} has ${unread} unread messages in ${id} instead of ${expected}`);
    }
  for (const { personId, conversationId, held } of tabs) {
    const stored = (found.get(conversationId) ?? []).map(({ id }) => id);
    const missing = stored.filter((id) => !held.includes(id)).length;
    if (missing) violations.push(`${missing} messages of ${conversationId} never reached ${personId}`);
    if (held.length > stored.length)
      violations.push(`${personId} received more messages than are stored in ${conversationId}`);
    for (const one of duplicatesIn(held))
      violations.push(`${personId} received message ${one} of ${conversationId} twice`);
  }
  return violations;
}

/** Everybody reads their own acknowledged writes; points never decrease. */
function violationsOfReads(calls: Call[]): string[] {
  const violations: string[] = [];
  const leaveCalls = callsOf(calls, 'leave').filter(isPossible);
  for (const [person, all] of groupBy(calls.filter(isAcknowledged), ({ by }) => by)) {
    const joins = callsOf(all, 'join');
    const completions = callsOf(all, 'complete');
    const leaves = callsOf(all, 'leave');
    for (const { action, began, ended } of callsOf(all, 'read participations')) {
      const participations = new Map(
        action.participations?.map((participation) => [participation.challengeId, participation.completed]),
      );
      const mayBeLeft = (challengeId: number) =>
        leaveCalls.some(
          (call) => call.by === person && call.action.challengeId === challengeId && call.began < ended,
        );
      for (const write of leaves)
        if (write.ended < began && participations.has(write.action.challengeId))
          violations.push(`${person} still saw that they had joined ${write.action.challengeId}`);
      for (const write of joins)
        if (
          write.ended < began &&
          !participations.has(write.action.challengeId) &&
          !mayBeLeft(write.action.challengeId)
        )
          violations.push(`${person} did not see that they had joined ${write.action.challengeId}`);
      for (const write of completions)
        if (write.ended < began && !participations.get(write.action.challengeId))
          violations.push(`${person} did not see that they had completed ${write.action.challengeId}`);
    }
    const ownSends = callsOf(all, 'send');
    for (const { action, began } of callsOf(all, 'read messages'))
      for (const write of ownSends)
        if (
          write.action.conversationId === action.conversationId &&
          // The message may be on another page.
          (action.clientIds?.length ?? 0) < messagesPerPage &&
          write.ended < began &&
          !action.clientIds?.includes(write.action.clientId)
        )
          violations.push(`${person} did not see their message ${write.action.clientId}`);
    const pointReads = callsOf(all, 'read points');
    for (const later of pointReads)
      for (const earlier of pointReads)
        if (earlier.ended < later.began && (later.action.points ?? 0) < (earlier.action.points ?? 0))
          violations.push(`${person} had ${earlier.action.points} points and then ${later.action.points}`);
  }
  return violations;
}
