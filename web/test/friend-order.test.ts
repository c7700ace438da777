import type { PublicUser } from '@wayquest/contracts';
import { sortFriends } from '../src/features/friends/friend-order.ts';

const friend = (id: number, username: string): PublicUser => ({
  ...{ id, username, firstName: '', lastName: '' },
  ...{ city: '', state: '', avatar: 'explorer-1.svg', points: 0 },
});
const [ann, bob, cem, dee] = [friend(1, 'ann'), friend(2, 'bob'), friend(3, 'cem'), friend(4, 'dee')];
const writtenWith = (user: PublicUser, createdAt: string) => ({
  user,
  last: { id: 1, sender: user.id, text: 'Hello', createdAt },
});

test('friends who are online come first, then those with the newest message, then by name (53, finding 25)', () => {
  const conversations = [
    writtenWith(bob, '2026-05-01T10:00:00.000Z'),
    writtenWith(cem, '2026-05-02T10:00:00.000Z'),
    writtenWith(dee, '2026-04-01T10:00:00.000Z'),
  ];
  const sorted = sortFriends([ann, bob, cem, dee], { online: [dee.id], conversations });
  expect(sorted.map(({ username }) => username)).toEqual(['dee', 'cem', 'bob', 'ann']);
  expect(sortFriends([bob, ann], { online: [], conversations: [] })).toEqual([ann, bob]);
});
