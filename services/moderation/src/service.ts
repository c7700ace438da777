import { createClient } from '@wayquest/contracts';
import { limits } from '@wayquest/platform/core';
import {
  createMailer,
  createMailLanguageOf,
  type MailerOptions,
  mailerOptionsOf,
  mailSettings,
} from '@wayquest/platform/mail';
import { createQuota, createRateLimiter, type Quota } from '@wayquest/platform/redis';
import { createChallengeReplica, createUserReplica } from '@wayquest/platform/replicas';
import {
  createService,
  defineService,
  ownDataKind,
  type Service,
  type ServiceDeps,
} from '@wayquest/platform/service';
import { limitSetting, redisUrlSetting, type Site, siteFrom, wholeNumber } from '@wayquest/platform/settings';
import { callHeaders } from '@wayquest/platform/telemetry';
import type { Redis } from 'ioredis';
import { auditModel, createAuditLog, recordPointsDecision, withCurrentAction } from './audit.ts';
import { caseModel, reportModel } from './case.model.ts';
import { createCases } from './cases.ts';
import { createQueueMetrics } from './metrics.ts';
import { affectedUserName, commentName, respondByName } from './migrations.ts';
import { createOutcomeMails } from './outcome-mails.ts';
import { createPuzzles } from './puzzles.ts';
import { createReporterTrust } from './reporter-trust.ts';
import { createReports } from './reports.ts';
import { routes } from './routes.ts';
import { createSubjects } from './subjects.ts';
import { createViews } from './views.ts';

/** Settings of the moderation service, besides those of every service. */
const settings = mailSettings.extend({
  REDIS_URL: redisUrlSetting,
  REPORTS_PER_MINUTE: limitSetting(limits.reportsPerMinute),
  REPORTS_PER_DAY: limitSetting(limits.reportsPerDay),
  REPORTER_DAYS: wholeNumber({ min: 0 })
    .default(3)
    .describe('The minimum age of an account in days for its reports to count toward automatic hiding.'),
  PLACE_REQUESTS_PER_DAY: limitSetting(limits.placeRequests),
  PLACE_RESPONSE_DAYS: wholeNumber({ min: 1 })
    .default(7)
    .describe('Number of days within which owners of places are promised a response.'),
});

interface ModerationDeps extends ServiceDeps {
  /** The URL of the challenges service, called for challenges whose event has not arrived yet. */
  challengesUrl: () => string;
  /** The URL of the chat service, called in a reporter's name for a message. */
  chatUrl: () => string;
  /** The URL of the participation service, called in a reporter's name for a completion. */
  participationUrl: () => string;
  mail: Omit<MailerOptions, 'logger'>;
  site: Site;
  /** Quota of reports of a person. */
  allowances: Quota;
  reporterDays: number;
  placeRequestsPerDay: number;
  placeResponseDays: number;
  /** Counts for all instances together; in memory without it. */
  redis?: Redis | undefined;
}

/** Creates the moderation service. */
const createModerationService = ({
  challengesUrl,
  chatUrl,
  participationUrl,
  mail,
  site,
  allowances,
  reporterDays,
  placeRequestsPerDay,
  placeResponseDays,
  redis,
  ...deps
}: ModerationDeps): Service =>
  createService('moderation', deps, (kit) => {
    const { connection, clock, logger } = kit;
    const clientOf = (baseUrl: () => string) =>
      createClient({ baseUrl, headers: callHeaders, timeoutMs: 3_000 });
    const challenges = createChallengeReplica(connection, clientOf(challengesUrl), clock);
    const users = createUserReplica(connection, clock);
    const subjects = createSubjects({
      ...{ challenges, users },
      ...{ chat: clientOf(chatUrl), participation: clientOf(participationUrl) },
    });
    const reporterTrust = createReporterTrust(kit, reporterDays);
    const puzzles = createPuzzles(kit);
    const mailer = createMailer({ ...mail, logger });
    const audit = createAuditLog(kit);
    const cases = createCases({
      kit,
      subjects,
      audit,
      outcomeMails: createOutcomeMails({ kit, mailer, site }),
    });
    const reports = createReports({
      ...{ kit, subjects, reporterTrust, puzzles, responseDays: placeResponseDays },
      countReport: createQuota('reports', allowances, redis),
      countPlaces: createRateLimiter({ ...limits.placeRequests, max: placeRequestsPerDay }, redis),
    });
    const views = createViews({ kit, cases, audit, users, challenges });
    const queueMetrics = createQueueMetrics(kit);
    return {
      migrations: [respondByName(kit), commentName(kit), affectedUserName(kit)],
      prepare: puzzles.ensureKey,
      routes: (http) =>
        routes(http, { reports, cases, views, mailLanguageOf: createMailLanguageOf(site.language) }),
      consumers: {
        'report.filed.v1': ({ data }) => cases.recount(data.caseId),
        'appeal.filed.v1': cases.applyAppeal,
        'points.decided.v1': recordPointsDecision(audit),
        'user.registered.v1': reporterTrust.apply,
        'user.profile-changed.v1': users.apply,
        'challenge.created.v1': challenges.apply,
        'challenge.updated.v1': challenges.apply,
        'challenge.deleted.v1': async (event) => {
          await challenges.applyDeleted(event);
          await cases.applyDeleted(event.data.challengeId);
        },
      },
      ownData: [
        // The snapshot of somebody else's content is for admins: its owner may have hidden it since.
        ownDataKind(
          'reports',
          reportModel(connection),
          (userId) => ({ userId }),
          ({ snapshot: _, ...report }) => report,
        ),
        // Admins and their notes are not part of a user's data.
        ownDataKind(
          'decisions',
          auditModel(connection),
          (affectedUserId) => ({ affectedUserId }),
          (line) => {
            const { caseId, action, at, until, note, reason } = withCurrentAction(line);
            return { caseId, action, at, until, reason: action === 'revoke' ? note : reason };
          },
        ),
        ownDataKind(
          'appeals',
          caseModel(connection),
          (affectedUserId) => ({ affectedUserId, appeal: { $ne: null } }),
          ({ _id, appeal }) => ({ caseId: _id, comment: appeal?.comment, at: appeal?.at }),
        ),
      ],
      async erase(userId) {
        await cases.erase(userId);
        await Promise.all([reporterTrust, users, challenges].map((each) => each.erase(userId)));
      },
      pruneStale: { users: users.pruneStale, challenges: challenges.pruneStale },
      background: { ...queueMetrics, close: mailer.close, ready: () => true },
    };
  });

/** The service's definition, for a process of its own or with all others. */
export const moderationService = defineService({
  name: 'moderation',
  settings,
  calls: ['challenges', 'chat', 'participation'],
  create: (config, { urlOf, redis, ...deps }) =>
    createModerationService({
      ...deps,
      challengesUrl: () => urlOf('challenges'),
      chatUrl: () => urlOf('chat'),
      participationUrl: () => urlOf('participation'),
      mail: mailerOptionsOf(config),
      site: siteFrom(config),
      allowances: { perMinute: config.REPORTS_PER_MINUTE, perDay: config.REPORTS_PER_DAY },
      reporterDays: config.REPORTER_DAYS,
      placeRequestsPerDay: config.PLACE_REQUESTS_PER_DAY,
      placeResponseDays: config.PLACE_RESPONSE_DAYS,
      redis: redis(config.REDIS_URL),
    }),
});
