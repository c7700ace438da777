import { randomInt } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settingsOrExit } from '@wayquest/platform/process';
import { z } from 'zod';
import { cleanUpAtExit, positiveInteger, printLine, startServers } from './command.ts';
import { faultsOf } from './faults.ts';
import { runChaos } from './run-chaos.ts';

const { SEED, ROUNDS, PEOPLE, RATE, FAULT_SECONDS, CALM_SECONDS, AS, FAULTS, HISTORY } = settingsOrExit(
  z.object({
    /** The same seed gives the same order of faults and calls. */
    SEED: positiveInteger(randomInt(1, 1_000_000)),
    ROUNDS: positiveInteger(2),
    PEOPLE: positiveInteger(20),
    RATE: positiveInteger(30),
    FAULT_SECONDS: positiveInteger(4),
    CALM_SECONDS: positiveInteger(4),
    AS: z.enum(['processes', 'containers']).default('processes'),
    /** A regular expression: only faults whose name matches. */
    FAULTS: z.string().optional(),
    /** The file for the history; a new one by default. */
    HISTORY: z.string().optional(),
  }),
);

const cleanup = cleanUpAtExit();
const servers = await startServers(cleanup);
printLine(`SEED=${SEED}`);
const { effects, violations } = await runChaos({
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
const failed = effects.reduce((sum, effect) => sum + effect.failed, 0);
const longest = Math.max(0, ...effects.map(({ failedAfter }) => failedAfter));
printLine(`
${effects.length} faults, ${failed} calls failed, the last one ${(longest / 1_000).toFixed(1)} s after its fault was over
violations: ${violations.length}${violations.map((sentence) => `\n  ${sentence}`).join('')}`);
await cleanup.exit(violations.length ? 1 : 0);
