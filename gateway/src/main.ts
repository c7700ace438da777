import { startManagement } from '@wayquest/platform/http';
import { runUntilSignal, settingsOrExit } from '@wayquest/platform/process';
import { createRedisConnections } from '@wayquest/platform/redis';
import { createLogger, keepSecurityEvents } from '@wayquest/platform/telemetry';
import { watchCertificate } from './certificate.ts';
import { builtWebApp, gatewayFromSettings, gatewayProcessSettings } from './settings.ts';

const settings = settingsOrExit(gatewayProcessSettings);
const logger = createLogger({ name: 'gateway', level: settings.LOG_LEVEL });
keepSecurityEvents(settings.SECURITY_LOG_DIR, 'gateway');
const redis = createRedisConnections(logger, { program: 'gateway', installation: settings.INSTALLATION });
const drainMs = settings.DRAIN_SECONDS * 1_000;
const gateway = gatewayFromSettings(settings, {
  logger,
  port: settings.PORT,
  upstreams: {
    auth: settings.AUTH_URL,
    users: settings.USERS_URL,
    challenges: settings.CHALLENGES_URL,
    participation: settings.PARTICIPATION_URL,
    friends: settings.FRIENDS_URL,
    chat: settings.CHAT_URL,
    notifications: settings.NOTIFICATIONS_URL,
    moderation: settings.MODERATION_URL,
    places: settings.PLACES_URL,
  },
  realtime: settings.REALTIME_URL,
  webDirectory: builtWebApp,
  redis: redis.connectionTo,
  drainMs,
});

const { PUBLIC_URL } = settings;
let stopManagement = async () => {};
let stopWatching = async () => {};
await runUntilSignal(logger, {
  drainMs,
  async start() {
    const { MANAGEMENT_PORT: port, HOST: host } = settings;
    const management = await startManagement({ port, host, ready: gateway.ready });
    stopManagement = management.stop;
    await gateway.start();
    if (PUBLIC_URL?.startsWith('https:')) stopWatching = watchCertificate(PUBLIC_URL, logger).stop;
  },
  async stop() {
    await stopWatching();
    await gateway.stop();
    redis.close();
    await stopManagement();
  },
});
