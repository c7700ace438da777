import { messagesPerPage } from '@wayquest/contracts';
import { z } from 'zod';
import type { Call, Intent } from './history.ts';

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

const done = <W extends Intent['what']>(calls: Call[], what: W) =>
  calls.flatMap((call) => {
    const { deed } = call;
    return isOf(deed, what) ? [{ ...call, deed }] : [];
  });

const isOf = <W extends Intent['what']>(deed: Intent, what: W): deed is Extract<Intent, { what: W }> =>
  deed.what === what;

const acknowledged = ({ outcome }: { outcome: string }) => outcome === 'ok';
const possible = ({ outcome }: { outcome: string }) => outcome !== 'refused';
const groupBy = <T, K>(all: T[], keyOf: (one: T) => K): Map<K, T[]> => {
  const groups = new Map<K, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
};
const twice = <T>(all: T[]) => all.filter((one, index) => all.indexOf(one) !== index);

/**
 * Returns the faults of a history and its final state as sentences; none if they are consistent. Every acknowledged
 * write is there once, nothing is there that nobody wrote, everybody reads their own writes, points match the ledger,
 * two people have one conversation, and each reader got every message once, in order. After Kingsbury's Jepsen: the
 * checker examines the history, not counts.
 */
export function findFaults(calls: Call[], ending: FinalState): string[] {
  const faults: string[] = [];
  const must = (isSo: boolean, sentence: string) => void (isSo || faults.push(sentence));
  const people = new Map(ending.people.map((person) => [person.id, person]));

  for (const { deed } of done(calls, 'sign up').filter(acknowledged))
    must(ending.accounts.includes(deed.username), `${deed.username} signed up and cannot log in`);

  const signedUp = done(calls, 'sign up').filter(acknowledged);
  for (const { deed, began } of done(calls, 'log in').filter(({ outcome }) => outcome === 'refused'))
    must(
      !signedUp.some((call) => call.deed.username === deed.username && call.ended < began),
      `${deed.username} had signed up and was not let in`,
    );

  const names = ending.challenges.map(({ name }) => name);
  const deletions = done(calls, 'delete a challenge');
  for (const { deed } of done(calls, 'make a challenge').filter(acknowledged))
    must(
      names.includes(deed.name) ||
        deletions.some((call) => possible(call) && call.deed.challengeId === deed.challengeId),
      `${deed.name} was made and is gone`,
    );
  for (const { deed } of deletions.filter(acknowledged))
    must(
      !ending.challenges.some(({ id }) => id === deed.challengeId),
      `challenge ${deed.challengeId} was deleted and is there`,
    );
  for (const name of twice(names)) faults.push(`${name} is there twice`);

  const joins = done(calls, 'join');
  const leavings = done(calls, 'leave');
  const completions = done(calls, 'complete');
  for (const { id, participations, points } of ending.people) {
    const joined = participations.map(({ challengeId }) => challengeId);
    const completed = participations.filter((participation) => participation.completed);
    const his = {
      joins: joins.filter(({ by }) => by === id),
      leavings: leavings.filter(({ by }) => by === id),
      done: completions.filter(({ by }) => by === id),
    };
    const asked = (all: typeof joins | typeof completions | typeof leavings, challengeId: number) =>
      all.some((call) => possible(call) && call.deed.challengeId === challengeId);
    for (const one of twice(joined)) faults.push(`${id} has two participations of ${one}`);
    for (const { deed } of his.joins.filter(acknowledged))
      must(
        joined.includes(deed.challengeId) || asked(his.leavings, deed.challengeId),
        `${id} joined ${deed.challengeId} and has no participation`,
      );
    // Nobody joins again what they left, but an earlier call with an unknown outcome may have joined later.
    const mayJoinLate = ({ challengeId }: { challengeId: number }) =>
      his.joins.some((call) => call.outcome === 'unknown' && call.deed.challengeId === challengeId);
    for (const { deed } of his.leavings.filter(acknowledged))
      must(
        mayJoinLate(deed) || !joined.includes(deed.challengeId),
        `${id} left ${deed.challengeId} and has a participation`,
      );
    for (const { deed } of his.done.filter(acknowledged))
      must(
        completed.some(({ challengeId }) => challengeId === deed.challengeId),
        `${id} completed ${deed.challengeId} and did not`,
      );
    for (const one of joined)
      must(asked(his.joins, one), `${id} has a participation of ${one} and never joined it`);
    for (const { challengeId } of completed)
      must(asked(his.done, challengeId), `${id} has completed ${challengeId} without asking to`);
    const owed = completed.reduce((sum, participation) => sum + participation.points, 0);
    must(points === owed, `${id} has ${points} points and is owed ${owed}`);
  }

  faults.push(...faultsOfFriendships(calls, ending));
  for (const { id, friends, conversations } of ending.people) {
    for (const one of twice(friends.map((friend) => friend.id)))
      faults.push(`${id} is twice a friend of ${one}`);
    for (const one of twice(conversations.map(({ otherId }) => otherId)))
      faults.push(`${id} has two conversations with ${one}`);
    for (const friend of friends) {
      const mine = conversations.find(({ otherId }) => otherId === friend.id)?.id;
      const theirs = people.get(friend.id)?.conversations.find(({ otherId }) => otherId === id)?.id;
      must(mine !== undefined && mine === theirs, `${id} and ${friend.id} do not share one conversation`);
      const { firstName } = people.get(friend.id) ?? {};
      must(
        friend.firstName === firstName,
        `${friend.id} is called ${firstName}, and ${friend.firstName} among the friends of ${id}`,
      );
    }
  }

  for (const { id, firstName } of ending.people) {
    const changes = done(calls, 'change the name').filter((call) => call.by === id && possible(call));
    const last = changes.findLast(acknowledged);
    if (!last) continue;
    // A call with an unknown outcome may have taken effect later.
    const right = changes
      .filter((call) => !acknowledged(call) || call.ended >= last.began)
      .map(({ deed }) => deed.firstName);
    must(right.includes(firstName), `${id} is called ${firstName} instead of ${right.join(' or ')}`);
  }

  faults.push(...faultsOfMessages(calls, ending), ...faultsOfReads(calls));
  must(ending.deadLetters === 0, `${ending.deadLetters} events are dead`);
  return faults;
}

/** Faults of friendships and blocks. */
function faultsOfFriendships(calls: Call[], { people, reports }: FinalState): string[] {
  const faults: string[] = [];
  const must = (isSo: boolean, sentence: string) => void (isSo || faults.push(sentence));
  const friendsOf = (id: number) =>
    people.find((person) => person.id === id)?.friends.map((friend) => friend.id) ?? [];
  const between = (one: number, other: number) => (call: { by: number; with: number }) =>
    (call.by === one && call.with === other) || (call.by === other && call.with === one);
  const beginnings = [...done(calls, 'ask for friendship'), ...done(calls, 'accept')]
    .filter(possible)
    .map((call) => ({ ...call, with: call.deed.friendId }));
  const unfriendings = done(calls, 'unfriend').map((call) => ({ ...call, with: call.deed.friendId }));
  const blocks = done(calls, 'block').map((call) => ({ ...call, with: call.deed.userId }));

  for (const { by, deed } of done(calls, 'accept').filter(acknowledged)) {
    if ([...unfriendings, ...blocks].filter(possible).some(between(by, deed.friendId))) continue;
    for (const [one, other] of [
      [by, deed.friendId],
      [deed.friendId, by],
    ] as const)
      must(friendsOf(one).includes(other), `${one} and ${other} became friends and are none`);
  }
  for (const ending of [...unfriendings, ...blocks].filter(acknowledged)) {
    // A call with an unknown outcome may have taken effect later.
    const mayBeAgain = beginnings
      .filter(between(ending.by, ending.with))
      .some((call) => !acknowledged(call) || call.ended >= ending.began);
    const isBlock = ending.deed.what === 'block';
    must(
      (mayBeAgain && !isBlock) || !friendsOf(ending.by).includes(ending.with),
      `${ending.by} and ${ending.with} were parted and are friends`,
    );
  }
  for (const { by, deed } of blocks.filter(acknowledged))
    must(
      people.some(({ id, blocked }) => id === by && blocked.includes(deed.userId)),
      `${by} blocked ${deed.userId} and does not`,
    );
  for (const { by, deed } of done(calls, 'report').filter(acknowledged)) {
    const times = reports.filter((one) => one.by === by && one.userId === deed.userId).length;
    must(times > 0, `${by} reported ${deed.userId} and did not`);
    must(times < 2, `${by} reported ${deed.userId} twice`);
  }
  return faults;
}

function faultsOfMessages(calls: Call[], { messages, tabs }: FinalState): string[] {
  const faults: string[] = [];
  const sends = done(calls, 'send');
  for (const { conversationId: conversation, all } of messages) {
    const names = all.map(({ clientId }) => clientId);
    const tries = groupBy(
      sends.filter(({ deed }) => deed.conversationId === conversation),
      ({ deed }) => deed.clientId,
    );
    for (const one of twice(names)) faults.push(`message ${one} is twice in ${conversation}`);
    for (const name of names)
      if (name !== null && !tries.has(name))
        faults.push(`message ${name} in ${conversation} was sent by nobody`);
    for (const [index, { id }] of all.entries())
      if (index && id !== (all[index - 1]?.id ?? 0) + 1)
        faults.push(`a message is missing before ${id} in ${conversation}`);
    // A message that was acknowledged before another one was first sent precedes it.
    const order: { began: number; acknowledged: number; place: number; name: string }[] = [];
    for (const [name, its] of tries) {
      const place = names.indexOf(name);
      const acknowledgedAt = its.filter(acknowledged).map(({ ended }) => ended);
      if (acknowledgedAt.length && place < 0)
        faults.push(`message ${name} was acknowledged and is not in ${conversation}`);
      if (place >= 0)
        order.push({
          ...{ place, name, began: Math.min(...its.map(({ began }) => began)) },
          acknowledged: Math.min(Number.POSITIVE_INFINITY, ...acknowledgedAt),
        });
    }
    for (const one of order)
      for (const other of order)
        if (one.acknowledged < other.began && one.place > other.place)
          faults.push(`message ${one.name} was sent before ${other.name} and stands after it`);
  }
  for (const { personId, conversationId, held } of tabs) {
    const { all = [] } = messages.find((one) => one.conversationId === conversationId) ?? {};
    const stored = all.map(({ id }) => id);
    const missing = stored.filter((id) => !held.includes(id)).length;
    if (missing) faults.push(`${missing} messages of ${conversationId} never came to ${personId}`);
    if (held.length > stored.length)
      faults.push(`${personId} was shown more than there is in ${conversationId}`);
    for (const one of twice(held))
      faults.push(`${personId} was shown message ${one} of ${conversationId} twice`);
  }
  return faults;
}

/** Everybody reads their own acknowledged writes; points never decrease. */
function faultsOfReads(calls: Call[]): string[] {
  const faults: string[] = [];
  const leavings = done(calls, 'leave').filter(possible);
  for (const [person, all] of groupBy(calls.filter(acknowledged), ({ by }) => by)) {
    const joined = done(all, 'join');
    const completed = done(all, 'complete');
    const left = done(all, 'leave');
    for (const { deed, began, ended } of done(all, 'read participations')) {
      const participations = new Map(
        deed.participations?.map((participation) => [participation.challengeId, participation.completed]),
      );
      const mayBeLeft = (challengeId: number) =>
        leavings.some(
          (call) => call.by === person && call.deed.challengeId === challengeId && call.began < ended,
        );
      for (const write of left)
        if (write.ended < began && participations.has(write.deed.challengeId))
          faults.push(`${person} still saw that they had joined ${write.deed.challengeId}`);
      for (const write of joined)
        if (
          write.ended < began &&
          !participations.has(write.deed.challengeId) &&
          !mayBeLeft(write.deed.challengeId)
        )
          faults.push(`${person} did not see that they had joined ${write.deed.challengeId}`);
      for (const write of completed)
        if (write.ended < began && !participations.get(write.deed.challengeId))
          faults.push(`${person} did not see that they had completed ${write.deed.challengeId}`);
    }
    const sent = done(all, 'send');
    for (const { deed, began } of done(all, 'read messages'))
      for (const write of sent)
        if (
          write.deed.conversationId === deed.conversationId &&
          // A full page may not contain it.
          (deed.clientIds?.length ?? 0) < messagesPerPage &&
          write.ended < began &&
          !deed.clientIds?.includes(write.deed.clientId)
        )
          faults.push(`${person} did not see their message ${write.deed.clientId}`);
    const readings = done(all, 'read points');
    for (const later of readings)
      for (const earlier of readings)
        if (earlier.ended < later.began && (later.deed.points ?? 0) < (earlier.deed.points ?? 0))
          faults.push(`${person} had ${earlier.deed.points} points and then ${later.deed.points}`);
  }
  return faults;
}
