import {
  CallError,
  type ChallengeDetails,
  type Client,
  type NewReport,
  type PublicUser,
  type Snapshot,
} from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';
import type { ChallengeReplica, UserReplica } from '@wayquest/platform/replicas';
import type { Caller } from '@wayquest/platform/tokens';

/** The current state of a subject, and its owner. */
export interface Subject {
  affectedUserId: number;
  snapshot: Snapshot;
}

const joinNonEmpty = (...parts: string[]): string => parts.filter(Boolean).join(', ');

/** Without the creator's name, which would stay when they are deleted. */
const subjectOfChallenge = ({
  name,
  description,
  locationName,
  streetAddress,
  city,
  creator,
  template,
}: ChallengeDetails): Subject => ({
  affectedUserId: creator.id,
  snapshot: {
    ...{ title: name, text: description, place: joinNonEmpty(locationName, streetAddress, city) },
    ...(template && { template }),
  },
});

const subjectOfUser = ({ id, username, firstName, lastName, city, state, avatar }: PublicUser): Subject => ({
  affectedUserId: id,
  snapshot: {
    title: username,
    text: [firstName, lastName].filter(Boolean).join(' '),
    place: joinNonEmpty(city, state),
    picture: avatar,
  },
});

/** A person's public profile as a subject. Throws `user-not-found`. */
export async function personSubject(users: Pick<UserReplica, 'byIds'>, id: number): Promise<Subject> {
  const found = (await users.byIds([id])).get(id);
  if (!found) throw new Problem('user-not-found');
  return subjectOfUser(found);
}

/** Loads what can be reported, as its reporter sees it. */
export interface Subjects {
  /** Throws `challenge-not-found`. */
  challenge(id: number): Promise<Subject>;
  /** Throws `user-not-found`. */
  person(id: number): Promise<Subject>;
  /** The subject of a report. */
  load(newReport: NewReport, caller: Caller): Promise<Subject>;
}

/** Creates the lookup of the content that is reported, in the service that owns it. */
export function createSubjects({
  challenges,
  users,
  chat,
  participation,
}: {
  challenges: ChallengeReplica;
  users: UserReplica;
  /** Called in the reporter's name: only people of a conversation can read it. */
  chat: Client;
  /** Called in the reporter's name: not everybody sees who took part. */
  participation: Client;
}): Subjects {
  const challenge = async (id: number): Promise<Subject> => subjectOfChallenge(await challenges.find(id));

  const person = (id: number): Promise<Subject> => personSubject(users, id);

  /** Throws `message-not-found`, and what chat says of a conversation. */
  const message = async (id: number, conversationId: number, { token }: Caller): Promise<Subject> => {
    try {
      // Ids of a conversation are consecutive.
      const query = { after: id - 1 || undefined, limit: 1 };
      const [found] = await chat.listMessages({ params: { conversationId }, query }, { token });
      if (found?.id !== id || found.removed || found.deleted) throw new Problem('message-not-found');
      return { affectedUserId: found.sender, snapshot: { title: '', text: found.text, place: '' } };
    } catch (error) {
      const code = error instanceof CallError ? error.problem?.code : undefined;
      if (code === 'conversation-not-found' || code === 'forbidden')
        throw new Problem(code, { cause: error });
      throw error instanceof CallError ? new Problem('service-unavailable', { cause: error }) : error;
    }
  };

  /** The note and photo of a completion. Throws `entry-not-found`, also if it has neither. */
  const completion = async (id: number, { token }: Caller): Promise<Subject> => {
    try {
      const { user, challengeId, note, photo } = await participation.getLogEntry(
        { params: { id } },
        { token },
      );
      if (!note && !photo) throw new Problem('entry-not-found');
      const { name, template } = await challenges.find(challengeId);
      return {
        affectedUserId: user.id,
        snapshot: {
          ...{ title: name, text: note, place: '' },
          ...(photo && { picture: photo }),
          ...(template && { template }),
        },
      };
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      const isGone = error.problem?.code === 'entry-not-found';
      throw new Problem(isGone ? 'entry-not-found' : 'service-unavailable', { cause: error });
    }
  };

  return {
    challenge,
    person,

    async load({ kind, id, conversationId = 0 }: NewReport, caller: Caller): Promise<Subject> {
      switch (kind) {
        case 'challenge':
          return challenge(id);
        case 'user':
          return person(id);
        case 'message':
          return message(id, conversationId, caller);
        case 'completion':
          return completion(id, caller);
      }
    },
  };
}
