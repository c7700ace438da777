import { operations } from '@wayquest/contracts';
import { type HttpApp, nextPageLink, Reply } from '@wayquest/platform';
import { defaultLimit, type Friends } from './friends.ts';

export function routes(http: HttpApp, friends: Friends): void {
  http.serve(operations.listFriendRequests, async ({ query, caller }) => {
    const requests = await friends.list(query, caller);
    const { limit = defaultLimit } = query;
    return new Reply(requests, {
      headers: nextPageLink(
        requests,
        { operation: operations.listFriendRequests, query, limit },
        ({ id }) => id,
      ),
    });
  });
  http.serve(operations.requestFriend, async ({ body, caller }) => {
    const { request, isNew } = await friends.request(body.friendId, caller);
    return new Reply(request, { status: isNew ? 201 : 200 });
  });
  http.serve(operations.acceptFriend, async ({ params, caller }) => friends.accept(params.id, caller));
  http.serve(operations.removeFriend, async ({ params, caller }) => {
    await friends.remove(params.id, caller);
    return undefined;
  });
}
