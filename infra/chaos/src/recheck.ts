import { settingsOrExit } from '@wayquest/platform/process';
import { z } from 'zod';
import { findViolations } from './check.ts';
import { listOf, positiveInteger, printLine } from './command.ts';
import { findShortcomings } from './effects.ts';
import { readRecord } from './history.ts';

const { HISTORY, RECOVERY_SECONDS } = settingsOrExit(
  z.object({ HISTORY: z.string(), RECOVERY_SECONDS: positiveInteger(3) }),
);
const { calls, faults, finalState } = await readRecord(HISTORY);
const violations = findViolations(calls, finalState);
const shortcomings = findShortcomings(calls, faults, RECOVERY_SECONDS * 1_000);
printLine(`${calls.length} calls
${listOf('violations', violations)}
${listOf('shortcomings of the run', shortcomings)}`);
process.exitCode = violations.length || shortcomings.length ? 1 : 0;
