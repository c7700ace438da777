import { z } from 'zod';
import { operation } from './operation.ts';
import { Cursor, Id, IdText, limit, Timestamp } from './primitives.ts';
import { PublicUser } from './users.ts';

export const FriendRequestStatus = z.enum(['pending', 'accepted']).meta({ id: 'FriendRequestStatus' });
export type FriendRequestStatus = z.infer<typeof FriendRequestStatus>;

/** A friend request; once accepted, a friendship. At most one for two people. */
export const FriendRequest = z
  .object({
    id: Id,
    userId: Id.meta({ description: 'The sender.' }),
    friendId: Id.meta({ description: 'The receiver.' }),
    status: FriendRequestStatus,
    createdAt: Timestamp,
    user: PublicUser,
    friend: PublicUser,
    can: z
      .object({ accept: z.boolean().meta({ description: 'Whether it waits for the caller’s answer.' }) })
      .optional()
      .meta({ description: 'What the caller can do with it, beside removing it. Absent in older versions.' }),
  })
  .meta({ id: 'FriendRequest' });
export type FriendRequest = z.infer<typeof FriendRequest>;

/** A user in POST /api/friendrequests/: `{friendId}`, or a whole user. */
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
    summary: 'List the caller’s friend requests: sent and received, pending and accepted',
    query: z.object({
      status: FriendRequestStatus.optional(),
      with: IdText.optional().meta({ description: 'Only the request between the caller and this user.' }),
      limit: limit(500).optional(),
      cursor: Cursor.optional(),
    }),
    status: [200],
    response: z.array(FriendRequest),
    problems: ['unauthenticated'],
  }),
  requestFriend: operation({
    service: 'friends',
    method: 'POST',
    path: '/api/friendrequests/',
    access: 'member',
    creates: true,
    summary:
      'Send a friend request; a repeated call returns the first one, and one in the other direction accepts it',
    body: FriendReference,
    status: [201, 200],
    response: FriendRequest,
    problems: [
      'unauthenticated',
      'friend-requests-disabled',
      'user-not-found',
      'too-many-requests',
      'daily-limit-reached',
    ],
  }),
  acceptFriend: operation({
    service: 'friends',
    method: 'PUT',
    path: '/api/friendrequests/{id}',
    access: 'owner',
    summary: 'Accept a friend request; only its receiver may',
    params: z.object({ id: IdText }),
    status: [200],
    response: FriendRequest,
    problems: ['unauthenticated', 'forbidden', 'friend-request-not-found'],
  }),
  removeFriend: operation({
    service: 'friends',
    method: 'DELETE',
    path: '/api/friendrequests/{id}',
    access: 'owner',
    summary: 'Decline or cancel a request, or end a friendship; either person may',
    params: z.object({ id: IdText }),
    status: [204],
    problems: ['unauthenticated', 'forbidden', 'friend-request-not-found'],
  }),
  listBlocks: operation({
    service: 'friends',
    method: 'GET',
    path: '/api/blocks/',
    access: 'member',
    summary: 'List the users that the caller blocked, newest first',
    status: [200],
    response: z.array(PublicUser),
    problems: ['unauthenticated'],
  }),
  blockUser: operation({
    service: 'friends',
    method: 'POST',
    path: '/api/blocks/',
    access: 'member',
    creates: true,
    summary:
      'Block a user: both are hidden from each other and are no longer friends. The user is not notified',
    body: z.object({ userId: Id }),
    status: [204],
    problems: ['unauthenticated', 'user-not-found', 'too-many-requests'],
  }),
  unblockUser: operation({
    service: 'friends',
    method: 'DELETE',
    path: '/api/blocks/{userId}',
    access: 'member',
    summary: 'Unblock a user',
    params: z.object({ userId: IdText }),
    status: [204],
    problems: ['unauthenticated'],
  }),
};
