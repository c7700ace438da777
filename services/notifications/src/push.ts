import { type PeriodicTask, startPeriodicTask } from '@wayquest/platform/process';
import type { UserReplica } from '@wayquest/platform/replicas';
import type { ServiceKit } from '@wayquest/platform/service';
import { Counter } from 'prom-client';
import webPush from 'web-push';
import {
  type NotificationDocument,
  notificationModel,
  presentNotification,
  shownActors,
} from './notification.model.ts';
import { pushMessageOf } from './push-messages.ts';
import type { PushKeys, PushSubscriptionDocument, PushSubscriptions } from './push-subscriptions.ts';

const batchSize = 100;
/** Longer than an attempt takes; after a crash another instance tries again then. */
const leaseMs = 60_000;
/** Timeout of a call to a push service. */
const timeoutMs = 5_000;
/** Notifications older than this are not retried. */
const maxAgeMs = 3_600_000;
/** How long a push service stores a message that it cannot deliver (TTL of RFC 8030). */
const ttlSeconds = 24 * 3_600;

/**
 * Statuses of a subscription that is no longer valid: it expired (RFC 8030, section 7.3), or was created with another key than
 * ours (RFC 8292, section 4.2), which is a 400 or 401 in some services. A browser in use subscribes again.
 */
const expiredStatuses = [400, 401, 403, 404, 410];

const pushMetrics = {
  sent: new Counter({
    name: 'wayquest_push_messages_total',
    help: 'Push messages by what became of them: sent, gone (the browser), refused, failed (tried again)',
    labelNames: ['outcome'],
  }),
};

/**
 * Sends unread notifications to subscribed browsers, each at least once. A failed push message is retried every minute for
 * an hour.
 */
export function createPush({
  kit: { connection, clock, logger },
  users,
  subscriptions,
  keys,
  contact,
  intervalMs,
}: {
  kit: Pick<ServiceKit, 'connection' | 'clock' | 'logger'>;
  users: UserReplica;
  subscriptions: PushSubscriptions;
  keys: () => Promise<PushKeys>;
  contact: string;
  intervalMs: number;
}) {
  const Notifications = notificationModel(connection);
  let task: PeriodicTask | undefined;

  /** Returns false if it should be retried. */
  const send = async (to: PushSubscriptionDocument, message: object): Promise<boolean> => {
    try {
      const request = webPush.generateRequestDetails(to, JSON.stringify(message), {
        vapidDetails: { subject: contact, ...(await keys()) },
        TTL: ttlSeconds,
      });
      const { status } = await fetch(request.endpoint, {
        method: request.method,
        headers: Object.entries(request.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]),
        body: request.body && new Uint8Array(request.body),
        // The endpoint is on the allow list; the target of a redirect may not be.
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      pushMetrics.sent.inc({
        outcome: status < 300 ? 'sent' : expiredStatuses.includes(status) ? 'gone' : 'refused',
      });
      if (expiredStatuses.includes(status)) await subscriptions.removeById(to._id);
      // A message that was rejected will be rejected again.
      return status < 500 && status !== 429;
    } catch (error) {
      pushMetrics.sent.inc({ outcome: 'failed' });
      logger.warn({ err: error, service: new URL(to.endpoint).origin }, 'a push service did not respond');
      return false;
    }
  };

  const deliver = async (due: NotificationDocument, browsers: PushSubscriptionDocument[]): Promise<void> => {
    const { _id, pushDueAt } = due;
    const leaseEnd = new Date(clock.now() + leaseMs);
    const { matchedCount } = await Notifications.updateOne(
      { _id, pushDueAt },
      { $set: { pushDueAt: leaseEnd } },
    );
    if (!matchedCount) return;
    const notification = presentNotification(due, await users.byIds(shownActors(due)));
    const done = await Promise.all(
      browsers.map((browser) => send(browser, pushMessageOf(notification, browser.language))),
    );
    if (done.includes(false) && due.at.getTime() > clock.now() - maxAgeMs) return;
    await Notifications.updateOne({ _id, pushDueAt: leaseEnd }, { $unset: { pushDueAt: 1 } });
  };

  const deliverDue = async (stopping: AbortSignal): Promise<void> => {
    let found: number;
    do {
      const due = await Notifications.find({ pushDueAt: { $lte: new Date(clock.now()) } })
        .sort({ pushDueAt: 1 })
        .limit(batchSize)
        .lean();
      found = due.length;
      if (!found) return;
      const browsers = await subscriptions.of(due.map(({ userId }) => userId));
      const browsersOf = (id: number) => browsers.filter(({ userId }) => userId === id);
      const withBrowser = new Set(browsers.map(({ userId }) => userId));
      const withoutBrowser = due.filter(({ userId }) => !withBrowser.has(userId));
      if (withoutBrowser.length) {
        await Notifications.updateMany(
          { _id: { $in: withoutBrowser.map(({ _id }) => _id) }, pushDueAt: { $lte: new Date(clock.now()) } },
          { $unset: { pushDueAt: 1 } },
        );
      }
      const deliverable = due.filter(({ userId }) => withBrowser.has(userId));
      await Promise.all(deliverable.map((each) => deliver(each, browsersOf(each.userId))));
    } while (found === batchSize && !stopping.aborted);
  };

  return {
    start(): void {
      task = startPeriodicTask(
        intervalMs,
        (stopping) =>
          deliverDue(stopping).catch((error) => logger.warn({ err: error }, 'push delivery loop failed')),
        { clock },
      );
    },
    stop: async (): Promise<void> => task?.stop(),
  };
}
