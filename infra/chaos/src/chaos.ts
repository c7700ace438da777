import { randomInt } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settingsOrExit } from '@wayquest/platform/process';
import { z } from 'zod';
import { cleanUpAtExit, listOf, positiveInteger, printLine, startServers } from './command.ts';
import { findShortcomings } from './effects.ts';
import { faultsOf } from './faults.ts';
import { runChaos } from './run-chaos.ts';

const { SEED, ROUNDS, PEOPLE, RATE, FAULT_SECONDS, CALM_SECONDS, RECOVERY_SECONDS, AS, FAULTS, HISTORY } =
  settingsOrExit(
    z.object({
      /** The same seed gives the same order of faults and calls. */
      SEED: positiveInteger(randomInt(1, 1_000_000)),
      ROUNDS: positiveInteger(2),
      PEOPLE: positiveInteger(20),
      RATE: positiveInteger(30),
      FAULT_SECONDS: positiveInteger(4),
      CALM_SECONDS: positiveInteger(6),
      /** So long after the end of a fault no call that begins fails. */
      RECOVERY_SECONDS: positiveInteger(3),
      AS: z.enum(['processes', 'containers']).default('processes'),
      /** A regular expression: only faults whose name matches. */
      FAULTS: z.string().optional(),
      /** The file for the history; a new one by default. */
      HISTORY: z.string().optional(),
    }),
  );

const cleanup = cleanUpAtExit();
printLine('starting the servers');
const servers = await startServers(cleanup);
printLine(`SEED=${SEED}`);
const { faults, violations, calls } = await runChaos({
  servers,
  as: AS,
  seed: SEED,
  people: PEOPLE,
  rate: RATE,
  rounds: ROUNDS,
  lasting: FAULT_SECONDS * 1_000,
  calm: CALM_SECONDS * 1_000,
  historyFile: HISTORY ?? join(await mkdtemp(join(tmpdir(), 'wayquest-chaos-')), 'history.ndjson'),
  faults: faultsOf(servers, FAULTS ? new RegExp(FAULTS) : undefined),
  printLine,
});
const shortcomings = findShortcomings(calls, faults, RECOVERY_SECONDS * 1_000);
const failed = calls.filter(({ outcome }) => outcome === 'unknown').length;
printLine(`
${faults.length} faults, ${failed} of ${calls.length} calls failed
${listOf('violations', violations)}
${listOf('shortcomings of the run', shortcomings)}`);
await cleanup.exit(violations.length || shortcomings.length ? 1 : 0);
