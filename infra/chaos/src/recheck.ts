import { settingsOrExit } from '@wayquest/platform/process';
import { z } from 'zod';
import { findViolations } from './check.ts';
import { printLine } from './command.ts';
import { readHistory } from './history.ts';

const { HISTORY } = settingsOrExit(z.object({ HISTORY: z.string() }));
const { calls, ending } = await readHistory(HISTORY);
const violations = findViolations(calls, ending);
printLine(
  `${calls.length} calls, violations: ${violations.length}${violations.map((sentence) => `\n  ${sentence}`).join('')}`,
);
process.exitCode = violations.length ? 1 : 0;
