import type {
  Challenge,
  Conversation,
  FriendRequest,
  Me,
  Message,
  Participation,
  PublicUser,
} from '@wayquest/contracts';

export const person: PublicUser = {
  id: 7,
  username: 'maya',
  firstName: 'Maya',
  lastName: '',
  city: 'Flushing',
  state: 'NY',
  avatar: 'maya.svg',
  points: 40,
};

export const me: Me = { ...person, email: '', streetAddress: '', zip: '11355', admin: false };

export const challenge: Challenge = {
  id: 3,
  name: 'Count the bridges',
  description: '',
  difficulty: 'Easy',
  points: 10,
  locationName: 'Kissena Park',
  streetAddress: '1 Oak Avenue',
  city: 'Flushing',
  state: 'NY',
  zip: '11358',
  startDate: null,
  endDate: null,
  timeZone: 'America/New_York',
  position: null,
  creator: { id: 9, username: 'theo' },
  createdAt: '2026-05-01T12:00:00.000Z',
  participants: 1,
};

const { participants: _, ...details } = challenge;

export const participation: Participation = {
  id: 21,
  userId: me.id,
  challengeId: challenge.id,
  completed: false,
  points: 10,
  joinedAt: '2026-05-02T12:00:00.000Z',
  completedAt: null,
  checkedIn: false,
  challenge: details,
  user: person,
  can: { complete: true, leave: true },
};

export const friend: PublicUser = {
  ...person,
  id: 9,
  username: 'theo',
  firstName: 'Theo',
  avatar: 'theo.svg',
};

export const friendRequest: FriendRequest = {
  id: 31,
  userId: friend.id,
  friendId: me.id,
  status: 'pending',
  createdAt: '2026-05-02T12:00:00.000Z',
  user: friend,
  friend: person,
  can: { accept: true },
};

export const conversation: Conversation = {
  id: 5,
  senderId: friend.id,
  receiverId: me.id,
  user: friend,
  open: true,
  can: { message: true },
  last: null,
  unread: 0,
  readId: null,
  otherReadId: null,
};

/** Creates a message of the friend; its id and text contain the number. */
export const message = (number: number, changes: Partial<Message> = {}): Message => ({
  id: 500 + number,
  sender: friend.id,
  text: `message ${number}`,
  conversationId: conversation.id,
  createdAt: '2026-05-02T12:00:00.000Z',
  clientId: null,
  ...changes,
});
