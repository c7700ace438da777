import { type PeriodicTask, startPeriodicTask, withAbortSignal } from '@wayquest/platform/async';
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
/** Maximum length of the response of a push service in the log. */
const maxReasonLength = 200;
/** Notifications older than this are not retried. */
const maxAgeMs = 3_600_000;
/** How long a push service stores a message that it cannot deliver (TTL of RFC 8030), unless it is outdated sooner. */
const maxTtlMs = 24 * 3_600_000;

/** The subscription expired (RFC 8030, section 7.3). A browser in use subscribes again. */
const goneStatuses = [404, 410];
/**
 * The subscription was created with another key than ours (RFC 8292, section 4.2), which is a 400 or 401 in some services; or our
 * key, contact or clock is wrong: then the service refuses all messages.
 */
const refusedStatuses = [400, 401, 403];
/** A service that has accepted another message within this time does not refuse all. */
const acceptedMs = 10 * 60_000;

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
  title,
  intervalMs,
}: {
  kit: Pick<ServiceKit, 'connection' | 'clock' | 'logger'>;
  users: UserReplica;
  subscriptions: PushSubscriptions;
  keys: () => Promise<PushKeys>;
  contact: string;
  /** The title of all messages. */
  title: string;
  intervalMs: number;
}) {
  const Notifications = notificationModel(connection);
  let task: PeriodicTask | undefined;

  /** When each push service last accepted a message, and those that have refused one since. */
  const acceptedAt = new Map<string, number>();
  const refusing = new Set<string>();

  const noteAccepted = (service: string) => {
    acceptedAt.set(service, clock.now());
    if (refusing.delete(service))
      logger.info({ pushService: service }, 'a push service accepts messages again');
  };

  const noteRefused = (service: string, status: number, reason: string) => {
    if (refusing.has(service)) return;
    refusing.add(service);
    logger.warn(
      { pushService: service, status, reason, contact },
      'a push service refuses messages; if it refuses all, check PUSH_CONTACT and the clock of this machine',
    );
  };

  /** Whether a push service accepts other messages. A clock that was set makes earlier ones worthless. */
  const isAccepting = (service: string) =>
    Math.abs(clock.now() - (acceptedAt.get(service) ?? Number.NEGATIVE_INFINITY)) < acceptedMs;

  const send = async (
    to: PushSubscriptionDocument,
    message: object,
    ttlMs: number,
  ): Promise<'done' | 'retry' | 'refused'> => {
    const service = new URL(to.endpoint).origin;
    try {
      const request = webPush.generateRequestDetails(to, JSON.stringify(message), {
        vapidDetails: { subject: contact, ...(await keys()) },
        TTL: Math.floor(ttlMs / 1_000),
      });
      const { status, text } = await withAbortSignal(timeoutMs, async (signal) => {
        const response = await fetch(request.endpoint, {
          method: request.method,
          headers: Object.entries(request.headers).map(([name, value]): [string, string] => [
            name,
            String(value),
          ]),
          body: request.body && new Uint8Array(request.body),
          // The endpoint is on the allow list; the target of a redirect may not be.
          redirect: 'error',
          signal,
        });
        return { status: response.status, text: await response.text() };
      });
      const isGone = goneStatuses.includes(status);
      pushMetrics.sent.inc({ outcome: status < 300 ? 'sent' : isGone ? 'gone' : 'refused' });
      if (status < 300) noteAccepted(service);
      if (isGone) await subscriptions.removeById(to._id);
      if (refusedStatuses.includes(status)) {
        noteRefused(service, status, text.slice(0, maxReasonLength));
        return 'refused';
      }
      // A message that was rejected will be rejected again.
      return status < 500 && status !== 429 ? 'done' : 'retry';
    } catch (error) {
      pushMetrics.sent.inc({ outcome: 'failed' });
      logger.warn({ err: error, pushService: service }, 'a push service did not respond');
      return 'retry';
    }
  };

  /** Deletes a subscription that its service refused, unless it refuses all. Returns whether it did. */
  const removeRefused = async ({ _id, endpoint }: PushSubscriptionDocument): Promise<boolean> => {
    if (!isAccepting(new URL(endpoint).origin)) return false;
    await subscriptions.removeById(_id);
    return true;
  };

  const deliver = async (due: NotificationDocument, browsers: PushSubscriptionDocument[]): Promise<void> => {
    const { _id, pushDueAt, validUntil } = due;
    const leaseEnd = new Date(clock.now() + leaseMs);
    const { matchedCount } = await Notifications.updateOne(
      { _id, pushDueAt },
      { $set: { pushDueAt: leaseEnd } },
    );
    if (!matchedCount) return;
    const ttlMs = Math.min(maxTtlMs, validUntil ? validUntil.getTime() - clock.now() : maxTtlMs);
    let needsRetry = false;
    if (ttlMs > 0) {
      const notification = presentNotification(due, await users.byIds(shownActors(due)));
      const outcomes = await Promise.all(
        browsers.map((browser) =>
          send(browser, pushMessageOf(notification, { language: browser.language, title }), ttlMs),
        ),
      );
      for (const [at, browser] of browsers.entries())
        if (outcomes[at] === 'retry' || (outcomes[at] === 'refused' && !(await removeRefused(browser))))
          needsRetry = true;
    }
    if (needsRetry && due.at.getTime() > clock.now() - maxAgeMs) return;
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
