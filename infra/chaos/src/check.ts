import { messagesPerPage } from '@wayquest/contracts';
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
      blocked: z.array(Id),
      conversations: z.array(z.object({ id: Id, otherId: Id })),
    }),
  ),
  challenges: z.array(z.object({ id: Id, name: z.string() })),
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
  for (const { action } of callsOf(calls, 'create a challenge').filter(isAcknowledged))
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
  return violations;
}

/** Violations of participations and of the points for them. */
function violationsOfParticipations(calls: Call[], { people }: FinalState): string[] {
  const { violations, expectThat } = createViolations();
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
    for (const { challengeId } of completed)
      expectThat(
        mayHaveHappened(completions, challengeId),
        `${challengeId} is completed by ${id}, who never completed it`,
      );
    const earned = completed.reduce((sum, participation) => sum + participation.points, 0);
    expectThat(points === earned, `${id} has ${points} points and earned ${earned}`);
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
    // A call with an unknown outcome may have taken effect later.
    const mayBeFriendsAgain = friendships
      .filter(isBetween(separation.by, separation.with))
      .some((call) => !isAcknowledged(call) || call.ended >= separation.began);
    const isBlock = separation.action.kind === 'block';
    expectThat(
      (mayBeFriendsAgain && !isBlock) || !friendsOf(separation.by).includes(separation.with),
      `${separation.by} and ${separation.with} were separated, but are friends`,
    );
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

function violationsOfMessages(calls: Call[], { messages, tabs }: FinalState): string[] {
  const violations: string[] = [];
  const sends = callsOf(calls, 'send');
  for (const { conversationId: conversation, all } of messages) {
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
  for (const { personId, conversationId, held } of tabs) {
    const { all = [] } = messages.find((one) => one.conversationId === conversationId) ?? {};
    const stored = all.map(({ id }) => id);
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
