import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { filesIn } from './files.ts';

const root = resolve(import.meta.dirname, '../../..');

/** Names that were replaced, each with the field's standard term that took its place. */
const replaced: Record<string, string> = {
  askServer: 'requestSaga',
  AtOnce: 'ConcurrencyLimiter',
  attendance: 'presence',
  BusAway: 'BusUnavailableError',
  Claimant: 'LoginAttempt',
  createAllowances: 'createQuota',
  createDoor: 'createRequestHandler',
  createOwners: 'createReauthentication',
  createQueues: 'createKeyedQueue',
  createRests: 'createConsumerBackoff',
  dayIn: 'localDate',
  giveMissing: 'backfillField',
  GoogleStandIn: 'FakeGoogle',
  groupedBy: 'createKeyedBatcher',
  Heard: 'LastEventAt',
  judge: 'decideRetry',
  letIn: 'openSession',
  lostTheRace: 'isWriteConflict',
  networkOf: 'ipPrefix64',
  onlookers: 'subscribers',
  Patience: 'UpstreamTimeouts',
  putOff: 'reschedule',
  requireUncommon: 'assertPasswordAllowed',
  retell: 'snapshot',
  siteOf: 'ipPrefix48',
  startAlone: 'startIsolatedService',
  swapCode: 'exchangeCode',
  tallyBy: 'countBy',
  tellMany: 'notifyUsers',
  tellOne: 'notifyUser',
  tellSecurity: 'logSecurityEvent',
  untilWon: 'retryOnConflict',
  unwanting: 'optedOut',
  useAsked: 'useQuery',
  useChange: 'useMutation',
  wayTo: 'panOffset',
  whileMember: 'whileAuthenticated',
  Word: 'ReplicaEvent, ClusterMessage or token',
};

/** Limits are `max…` and `min…`. */
const superlatives = /\b(?:most|least)[A-Z]\w*\b/g;

it('names in the code are standard terms, none that was replaced', () => {
  const names = new RegExp(`\\b(?:${Object.keys(replaced).join('|')})\\b`, 'g');
  const found = ['gateway', 'infra', 'services', 'web'].flatMap((folder) =>
    filesIn(join(root, folder), /\.tsx?$/).flatMap((path) => {
      // This file names them all.
      if (path === import.meta.filename) return [];
      const text = readFileSync(path, 'utf8');
      const old = [...text.matchAll(names), ...text.matchAll(superlatives)].map(([name]) => name);
      return [...new Set(old)].map(
        (name) => `${relative(root, path)}: ${name} (${replaced[name] ?? 'max… or min…'})`,
      );
    }),
  );
  expect(found).toEqual([]);
});
