import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { filesIn } from './files.ts';

const root = resolve(import.meta.dirname, '../../..');

/** Replaced names, each with the standard term that took its place. */
const replaced: Record<string, string> = {
  askServer: 'requestSaga',
  AtOnce: 'ConcurrencyLimiter',
  attendance: 'presence',
  breakableWay: 'createTcpProxy',
  BusAway: 'BusUnavailableError',
  Claimant: 'LoginAttempt',
  createAllowances: 'createQuota',
  createCells: 'createTileCounts',
  createDoor: 'createRequestHandler',
  createOwners: 'createReauthentication',
  createQueues: 'createKeyedQueue',
  createRests: 'createConsumerBackoff',
  dayIn: 'localDate',
  fillTown: 'seedNetwork',
  findObstacles: 'findAccessibilityIssues',
  FullTown: 'SeedData',
  giveMissing: 'backfillField',
  GoogleStandIn: 'FakeGoogle',
  groupedBy: 'createKeyedBatcher',
  Heard: 'LastEventAt',
  heardAt: 'lastEventAt',
  judge: 'decideRetry',
  keepDeadLetter: 'storeDeadLetter',
  KnownFault: 'KnownIssue',
  letIn: 'openSession',
  lostTheRace: 'isWriteConflict',
  meAnswer: 'meResponse',
  mustAnswer: 'assertReachable',
  mustForget: 'mustDiscard',
  needBacking: 'useShared',
  networkOf: 'ipPrefix64',
  onlooker: 'subscriber',
  onlookers: 'subscribers',
  OperationAnswer: 'OperationResponse',
  OWN_CHALLENGES_PER_DAY: 'MAX_OWN_CHALLENGE_AWARDS_PER_DAY',
  ownBacking: 'startDedicated',
  PAIR_POINTS_PER_DAY: 'PAIR_POINTS_REVIEW_THRESHOLD',
  Patience: 'UpstreamTimeouts',
  patience: 'timeoutMs',
  putOff: 'reschedule',
  requireUncommon: 'assertPasswordAllowed',
  retell: 'snapshot',
  settledz: 'idlez',
  siteOf: 'ipPrefix48',
  speakChinese: 'switchToChinese',
  standIn: 'fake or fallback',
  startAlone: 'startIsolatedService',
  startStage: 'startFixture',
  swapCode: 'exchangeCode',
  tallyBy: 'countBy',
  tokensFrom: 'tokensValidFrom',
  tellMany: 'notifyUsers',
  tellOne: 'notifyUser',
  tellSecurity: 'logSecurityEvent',
  untilWon: 'retryOnConflict',
  unwanting: 'optedOut',
  useAsked: 'useQuery',
  useChange: 'useMutation',
  usualWays: 'defaultProviders',
  wayTo: 'panOffset',
  weeksInARow: 'weeklyStreak',
  whileMember: 'whileAuthenticated',
  Word: 'ReplicaEvent, ClusterMessage or token',
  Wording: 'ChallengeFields',
  'done-by-admin': 'admin-action',
  'line-not-found': 'participation-not-found',
  'login-again': 'reauthentication-required',
  'others-take-part': 'has-other-participants',
  'password-needed': 'password-required',
  'points-held': 'points-flagged',
  'refused-by-limit': 'rate-limited',
};

/** Files that have to use the names of older versions. */
const inStores = /\/src\/(service\/)?migrations\/|\/last-release\.test\.ts$/;

/** Limits are named `max…` and `min…`. */
const superlatives = /\b(?:most|least)[A-Z]\w*\b/g;

it('the code uses none of the replaced names', () => {
  const names = new RegExp(`\\b(?:${Object.keys(replaced).join('|')})\\b`, 'g');
  const found = ['gateway', 'infra', 'services', 'web'].flatMap((folder) =>
    filesIn(join(root, folder), /\.(?:tsx?|js)$/).flatMap((path) => {
      // This file contains all of them; migrations and their test contain stored ones.
      if (path === import.meta.filename || inStores.test(path)) return [];
      const text = readFileSync(path, 'utf8');
      const old = [...text.matchAll(names), ...text.matchAll(superlatives)].map(([name]) => name);
      return [...new Set(old)].map(
        (name) => `${relative(root, path)}: ${name} (${replaced[name] ?? 'max… or min…'})`,
      );
    }),
  );
  expect(found).toEqual([]);
});
