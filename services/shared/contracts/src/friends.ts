import { z } from 'zod';
import { operation } from './operation.ts';
import { Cursor, Id, IdText, limit, Moment } from './primitives.ts';
import { PublicUser } from './users.ts';

export const FriendRequestStatus = z.enum(['pending', 'accepted']).meta({ id: 'FriendRequestStatus' });
export type FriendRequestStatus = z.infer<typeof FriendRequestStatus>;

/** What one person asked another; accepted, it is their friendship. At most one for two people. */
export const FriendRequest = z
  .object({
    id: Id,
    userId: Id.meta({ description: 'Who asked.' }),
    friendId: Id.meta({ description: 'Who was asked.' }),
    status: FriendRequestStatus,
    createdAt: Moment,
    user: PublicUser,
    friend: PublicUser,
  })
  .meta({ id: 'FriendRequest' });
export type FriendRequest = z.infer<typeof FriendRequest>;

/** A person as POST /api/friendrequests/ names them: `{friendId}`, or a whole user. */
export const FriendReference = z
  .union(
    [z.object({ friendId: Id }), z.object({ id: Id }).transform(({ id }) => ({ friendId: id }))],
    'must name a person by friendId or id',
  )
  .meta({ id: 'FriendReference' });

export const friendsOperations = {
  listFriendRequests: operation({
    service: 'friends',
    method: 'GET',
    path: '/api/friendrequests/',
    access: 'member',
    summary: 'The caller’s friend requests, sent and received, pending and accepted',
    query: z.object({
      status: FriendRequestStatus.optional(),
      with: IdText.optional().meta({ description: 'Only the one between the caller and this person.' }),
      limit: limit(500).optional(),
      cursor: Cursor.optional(),
    }),
    status: [200],
    answer: z.array(FriendRequest),
    problems: ['unauthenticated'],
  }),
  requestFriend: operation({
    service: 'friends',
    method: 'POST',
    path: '/api/friendrequests/',
    access: 'member',
    creates: true,
    summary:
      'Ask somebody to be friends; a second call answers the first request, one the other way accepts it',
    body: FriendReference,
    status: [201, 200],
    answer: FriendRequest,
    problems: ['unauthenticated', 'no-requests', 'user-not-found', 'too-many-requests', 'enough-for-today'],
  }),
  acceptFriend: operation({
    service: 'friends',
    method: 'PUT',
    path: '/api/friendrequests/{id}',
    access: 'owner',
    summary: 'Accept a friend request; only who was asked may',
    params: z.object({ id: IdText }),
    status: [200],
    answer: FriendRequest,
    problems: ['unauthenticated', 'forbidden', 'friend-request-not-found'],
  }),
  removeFriend: operation({
    service: 'friends',
    method: 'DELETE',
    path: '/api/friendrequests/{id}',
    access: 'owner',
    summary: 'Decline, cancel or unfriend; either side may',
    params: z.object({ id: IdText }),
    status: [204],
    problems: ['unauthenticated', 'forbidden', 'friend-request-not-found'],
  }),
  listBlocks: operation({
    service: 'friends',
    method: 'GET',
    path: '/api/blocks/',
    access: 'member',
    summary: 'Whom the caller blocked, the last first',
    status: [200],
    answer: z.array(PublicUser),
    problems: ['unauthenticated'],
  }),
  blockUser: operation({
    service: 'friends',
    method: 'POST',
    path: '/api/blocks/',
    access: 'member',
    creates: true,
    summary: 'Hide the caller and a person from each other, who is not told; ends their friendship',
    body: z.object({ userId: Id }),
    status: [204],
    problems: ['unauthenticated', 'user-not-found', 'too-many-requests'],
  }),
  unblockUser: operation({
    service: 'friends',
    method: 'DELETE',
    path: '/api/blocks/{userId}',
    access: 'member',
    summary: 'Lift a block of the caller’s, if there is one',
    params: z.object({ userId: IdText }),
    status: [204],
    problems: ['unauthenticated'],
  }),
};
