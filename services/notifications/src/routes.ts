import { operations } from '@wayquest/contracts';
import { type HttpApp, nextPageLink, ResponseWithHeaders } from '@wayquest/platform/http';
import { cursorAfter, defaultLimit, type Notifications } from './notifications.ts';
import type { Preferences } from './preferences.ts';
import type { PushKeys, PushSubscriptions } from './push-subscriptions.ts';

interface RouteDeps {
  notifications: Notifications;
  preferences: Preferences;
  subscriptions: PushSubscriptions;
  keys: () => Promise<PushKeys>;
}

export function routes(http: HttpApp, { notifications, preferences, subscriptions, keys }: RouteDeps): void {
  http.serve(operations.listNotifications, async ({ query, caller }) => {
    const found = await notifications.list(query, caller);
    const { limit = defaultLimit } = query;
    const page = { operation: operations.listNotifications, query, limit };
    return new ResponseWithHeaders(found, { headers: nextPageLink(found, page, cursorAfter) });
  });
  http.serve(operations.countUnreadNotifications, async ({ caller }) => notifications.countUnread(caller));
  http.serve(operations.markNotificationsRead, async ({ body, caller }) =>
    notifications.markRead(body, caller),
  );
  http.serve(operations.getNotificationPreferences, async ({ caller }) => preferences.of(caller.id));
  http.serve(operations.updateNotificationPreferences, async ({ body, caller }) =>
    preferences.update(caller.id, body),
  );
  http.serve(operations.getPushKey, async () => ({ key: (await keys()).publicKey }));
  http.serve(
    operations.subscribeToPush,
    async ({ body, caller }) =>
      new ResponseWithHeaders(await subscriptions.add(body, caller), { status: 201 }),
  );
  http.serve(operations.unsubscribeFromPush, async ({ params, caller }) => {
    await subscriptions.remove(params.id, caller);
    return undefined;
  });
}
