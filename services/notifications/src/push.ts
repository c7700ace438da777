import { type PeriodicTask, startPeriodicTask } from '@wayquest/platform/process';
import type { UserReplica } from '@wayquest/platform/replicas';
import type { ServiceKit } from '@wayquest/platform/service';
import webPush from 'web-push';
import { pushMetrics } from './metrics.ts';
import { type NotificationDocument, notificationModel } from './notification.model.ts';
import { presentNotification, shownPeople } from './notification.presenter.ts';
import type { PushKeys } from './push-keys.ts';
import type { PushSubscriptionDocument, PushSubscriptions } from './push-subscriptions.ts';
import { pushMessageOf } from './push-words.ts';

const atOnce = 100;
/** Longer than an attempt takes; who stopped in the middle of one is followed by another instance then. */
const leaseMs = 60_000;
/** A push service that does not answer by then is asked again. */
const patienceMs = 5_000;
/** What could not be told for so long is no news any more. */
const givenUpMs = 3_600_000;
/** How long a push service keeps what it cannot deliver. */
const keptSeconds = 24 * 3_600;

/**
 * A push service says by these that a subscription reaches nobody: the browser is gone (RFC 8030, section 7.3), or it was made
 * with another key than ours (RFC 8292, section 4.2), which is a 400 or 401 in some. A browser in use subscribes anew.
 */
const gone = [400, 401, 403, 404, 410];

/**
 * Tells the browsers of those who want it what was not read in time; each at least once. What their push services do not
 * take is tried again every minute, for an hour.
 */
export function createPush({
  kit: { connection, clock, logger },
  users,
  subscriptions,
  keys,
  contact,
  lookEveryMs,
}: {
  kit: Pick<ServiceKit, 'connection' | 'clock' | 'logger'>;
  users: UserReplica;
  subscriptions: PushSubscriptions;
  keys: () => Promise<PushKeys>;
  contact: string;
  lookEveryMs: number;
}) {
  const Notifications = notificationModel(connection);
  let repetition: PeriodicTask | undefined;

  /** Answers whether it need not be tried again. */
  const send = async (to: PushSubscriptionDocument, message: object): Promise<boolean> => {
    try {
      const request = webPush.generateRequestDetails(to, JSON.stringify(message), {
        vapidDetails: { subject: contact, ...(await keys()) },
        TTL: keptSeconds,
      });
      const { status } = await fetch(request.endpoint, {
        method: request.method,
        headers: Object.entries(request.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]),
        body: request.body && new Uint8Array(request.body),
        // An allowed address must not lead to another one.
        redirect: 'error',
        signal: AbortSignal.timeout(patienceMs),
      });
      pushMetrics.sent.inc({ outcome: status < 300 ? 'sent' : gone.includes(status) ? 'gone' : 'refused' });
      if (gone.includes(status)) await subscriptions.drop(to._id);
      // What is wrong with our message will be so again.
      return status < 500 && status !== 429;
    } catch (error) {
      pushMetrics.sent.inc({ outcome: 'failed' });
      logger.warn({ err: error, service: new URL(to.endpoint).origin }, 'a push service did not answer');
      return false;
    }
  };

  const tell = async (due: NotificationDocument, browsers: PushSubscriptionDocument[]): Promise<void> => {
    const { _id, pushDueAt } = due;
    const held = new Date(clock.now() + leaseMs);
    const { matchedCount } = await Notifications.updateOne({ _id, pushDueAt }, { $set: { pushDueAt: held } });
    if (!matchedCount) return;
    const notification = presentNotification(due, await users.byIds(shownPeople(due)));
    const done = await Promise.all(
      browsers.map((browser) => send(browser, pushMessageOf(notification, browser.language))),
    );
    if (done.includes(false) && due.at.getTime() > clock.now() - givenUpMs) return;
    await Notifications.updateOne({ _id, pushDueAt: held }, { $unset: { pushDueAt: 1 } });
  };

  const look = async (stopping: AbortSignal): Promise<void> => {
    let found: number;
    do {
      const due = await Notifications.find({ pushDueAt: { $lte: new Date(clock.now()) } })
        .sort({ pushDueAt: 1 })
        .limit(atOnce)
        .lean();
      found = due.length;
      if (!found) return;
      const browsers = await subscriptions.of(due.map(({ userId }) => userId));
      const browsersOf = (id: number) => browsers.filter(({ userId }) => userId === id);
      const withBrowser = new Set(browsers.map(({ userId }) => userId));
      const nowhere = due.filter(({ userId }) => !withBrowser.has(userId));
      if (nowhere.length) {
        await Notifications.updateMany(
          { _id: { $in: nowhere.map(({ _id }) => _id) }, pushDueAt: { $lte: new Date(clock.now()) } },
          { $unset: { pushDueAt: 1 } },
        );
      }
      const told = due.filter(({ userId }) => withBrowser.has(userId));
      await Promise.all(told.map((each) => tell(each, browsersOf(each.userId))));
    } while (found === atOnce && !stopping.aborted);
  };

  return {
    start(): void {
      repetition = startPeriodicTask(
        lookEveryMs,
        (stopping) =>
          look(stopping).catch((error) => logger.warn({ err: error }, 'push delivery loop failed')),
        { clock },
      );
    },
    stop: async (): Promise<void> => repetition?.stop(),
  };
}
