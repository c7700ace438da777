import { operations } from '@wayquest/contracts';
import { type HttpApp, nextPageLink, ResponseWithHeaders } from '@wayquest/platform/http';
import type { Blocks } from './blocks.ts';
import { acceptersOf, removersOf } from './friend-request.model.ts';
import { defaultLimit, type Friends } from './friends.ts';

export function routes(http: HttpApp, friends: Friends, blocks: Blocks): void {
  http.serve(operations.listFriendRequests, async ({ query, caller }) => {
    const requests = await friends.list(query, caller);
    const { limit = defaultLimit } = query;
    return new ResponseWithHeaders(requests, {
      headers: nextPageLink(
        requests,
        { operation: operations.listFriendRequests, query, limit },
        ({ id }) => id,
      ),
    });
  });
  http.serve(operations.requestFriend, async ({ body, caller }) => {
    const { request, isNew } = await friends.request(body.friendId, caller);
    return new ResponseWithHeaders(request, { status: isNew ? 201 : 200 });
  });
  http.serveOwned(operations.acceptFriend, {
    find: async ({ params }) => friends.find(params.id),
    owners: acceptersOf,
    handle: async ({ caller }, request) => friends.accept(request, caller),
  });
  http.serveOwned(operations.removeFriend, {
    find: async ({ params }) => friends.find(params.id),
    owners: removersOf,
    async handle({ caller }, request) {
      await friends.remove(request, caller);
      return undefined;
    },
  });
  http.serve(operations.listBlocks, async ({ caller }) => blocks.list(caller));
  http.serve(operations.blockUser, async ({ body: { userId }, caller }) => {
    await blocks.block(userId, caller);
    await friends.endBetween(caller.id, userId);
    return undefined;
  });
  http.serve(operations.unblockUser, async ({ params, caller }) => {
    await blocks.unblock(params.userId, caller);
    return undefined;
  });
}
