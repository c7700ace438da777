import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { filesIn } from './files.ts';

const root = resolve(import.meta.dirname, '../../..');

/** Replaced names, each with the standard term that took its place. */
const replaced: Record<string, string> = {
  answerBy: 'respondBy',
  answerRead: 'respondToRead',
  askServer: 'requestSaga',
  AtOnce: 'ConcurrencyLimiter',
  attendance: 'presence',
  beginStep: 'startSpan',
  breakableWay: 'createTcpProxy',
  BusAway: 'BusUnavailableError',
  callsAlone: 'clientOperations',
  Claimant: 'LoginAttempt',
  cleanUpWhateverGoesWrong: 'cleanUpAtExit',
  createAllowances: 'createQuota',
  createAnswers: 'createOutcomeMails',
  createAppending: 'createMessageAppender',
  createCells: 'createTileCounts',
  createDoor: 'createRequestHandler',
  createFinding: 'createChallengeQueries',
  createForgotten: 'createErasedUsers',
  createDeletedAccounts: 'createErasedUsers',
  mustDiscard: 'isErased',
  createMeasuring: 'createQueueMetrics',
  createOutside: 'createExternalSources',
  createOwners: 'createReauthentication',
  createPace: 'createRequestRate',
  createQueues: 'createKeyedQueue',
  createRests: 'createConsumerBackoff',
  createStanding: 'createReporterTrust',
  dayIn: 'localDate',
  fillTown: 'seedNetwork',
  findFaults: 'findViolations',
  findObstacles: 'findAccessibilityIssues',
  forgetAnswers: 'deleteResponses',
  forgetCached: 'invalidate',
  forgetTries: 'resetReloadAttempts',
  FullTown: 'SeedData',
  giveMissing: 'backfillField',
  GoogleStandIn: 'FakeGoogle',
  groupedBy: 'createKeyedBatcher',
  Heard: 'LastEventAt',
  heardAt: 'lastEventAt',
  isDoor: 'isServer',
  isOutOfReach: 'isUnreachable',
  isRefusal: 'isRejected',
  isSilence: 'isResponseTimeout',
  judge: 'decideRetry',
  keepApp: 'cacheApp',
  keepDeadLetter: 'storeDeadLetter',
  keepDecided: 'applyDecision',
  keepFocus: 'restoreFocus',
  keepTranslatedText: 'supportPageTranslation',
  KnownFault: 'KnownIssue',
  LastingButton: 'FocusableButton',
  letIn: 'openSession',
  livesOff: 'isFarmedBy',
  lostTheRace: 'isWriteConflict',
  madeOf: 'derivedFrom',
  mayWriteMore: 'maySend',
  meAnswer: 'meResponse',
  mustAnswer: 'assertReachable',
  mustForget: 'mustDiscard',
  needBacking: 'useShared',
  networkOf: 'ipPrefix64',
  notRefreshed: 'refreshFailed',
  onlooker: 'subscriber',
  onlookers: 'subscribers',
  openPushed: 'openNotification',
  OperationAnswer: 'OperationResponse',
  OWN_CHALLENGES_PER_DAY: 'MAX_OWN_CHALLENGE_AWARDS_PER_DAY',
  ownBacking: 'startDedicated',
  PAIR_POINTS_PER_DAY: 'PAIR_POINTS_REVIEW_THRESHOLD',
  patience: 'timeoutMs',
  Patience: 'UpstreamTimeouts',
  presenceAt: 'checkLocation',
  putOff: 'reschedule',
  requireUncommon: 'assertPasswordAllowed',
  retell: 'snapshot',
  sayOfChallenge: 'translateChallenge',
  sayProblem: 'translateProblem',
  settledz: 'idlez',
  siteOf: 'ipPrefix48',
  speakChinese: 'switchToChinese',
  standIn: 'fake or fallback',
  startAlone: 'startIsolatedService',
  startStage: 'startFixture',
  swapCode: 'exchangeCode',
  tallyBy: 'countBy',
  tellMany: 'notifyUsers',
  tellOne: 'notifyUser',
  tellSecurity: 'logSecurityEvent',
  tokensFrom: 'tokensValidFrom',
  untilWon: 'retryOnConflict',
  unwanting: 'optedOut',
  useAsked: 'useQuery',
  useChange: 'useMutation',
  useKeptFocus: 'useFocusFallback',
  useKeptForm: 'usePersistedForm',
  useToldAgain: 'useErrorSentence',
  usualWays: 'defaultProviders',
  wayTo: 'panOffset',
  weeksInARow: 'weeklyStreak',
  Whereabouts: 'SearchLocation',
  whileMember: 'whileAuthenticated',
  WholeCase: 'CaseDetails',
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
const inStores = /\/src\/(former\/)?migrations\.ts$|\/last-release\.integration\.test\.ts$/;

/** Limits are named `max…` and `min…`. */
const superlatives = /\b(?:most|least)[A-Z]\w*\b/g;

it('the code uses none of the replaced names', () => {
  const names = new RegExp(`\\b(?:${Object.keys(replaced).join('|')})\\b`, 'g');
  const found = ['gateway', 'infra', 'services', 'web'].flatMap((folder) =>
    filesIn(join(root, folder), /\.(?:tsx?|m?js)$/).flatMap((path) => {
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

/** Phrases of the former, private wording, in any file that people read. */
const phrases =
  /\b(?:what stands|stands what|is said of|told to go|whoever runs|what is seen|as (?:high|wide) as a thumb|comes? of it)\b/gi;

it('comments, configuration and documents use none of the former phrases', () => {
  const folders = ['gateway', 'infra', 'services', 'web'].map((folder) => join(root, folder));
  const topLevel = filesIn(root, /^(?:Makefile|[\w.-]+\.(?:md|ya?ml))$/).filter(
    (path) => dirname(path) === root,
  );
  const files = [
    ...topLevel,
    ...folders.flatMap((folder) =>
      filesIn(folder, /\.(?:tsx?|m?js|css|md|ya?ml|cfg|grit|env)$|^Dockerfile$/),
    ),
  ];
  const found = files.flatMap((path) =>
    path === import.meta.filename
      ? []
      : [...readFileSync(path, 'utf8').matchAll(phrases)].map(
          ([phrase]) => `${relative(root, path)}: ${phrase}`,
        ),
  );
  expect(found).toEqual([]);
});
