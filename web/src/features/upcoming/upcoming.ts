/** A part of Wayquest that has its place but not its screen yet. */
export interface UpcomingPart {
  title: string;
  promise: string;
  paths: string[];
  membersOnly: boolean;
}

export const upcoming: UpcomingPart[] = [
  {
    title: 'Explore Map',
    promise:
      'A map of your area, with every challenge on it. Search an address, see parks, museums and libraries around you, and make a challenge of any of them.',
    paths: ['/explore'],
    membersOnly: false,
  },
  {
    title: 'Find Users',
    promise: 'People who explore near you: search them by name, see who might be a friend, and ask.',
    paths: ['/users'],
    membersOnly: true,
  },
  {
    title: 'Friends',
    promise: 'The people you explore with, and a way to write to each of them.',
    paths: ['/friends'],
    membersOnly: true,
  },
  {
    title: 'Friend Requests',
    promise: 'Who would like to be your friend, with a yes and a no for each.',
    paths: ['/FriendsInvitation', '/pendingFriendRequests'],
    membersOnly: true,
  },
  {
    title: 'Messenger',
    promise: 'Conversations with your friends, as they happen: who is up for the park on Sunday?',
    paths: ['/messenger/:id?'],
    membersOnly: true,
  },
];
