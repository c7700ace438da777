import { settingsOrExit } from '@wayquest/platform/process';
import { z } from 'zod';
import { findFaults } from './check.ts';
import { printLine } from './command.ts';
import { readHistory } from './history-file.ts';

const { HISTORY } = settingsOrExit(z.object({ HISTORY: z.string() }));
const { calls, ending } = await readHistory(HISTORY);
const wrong = findFaults(calls, ending);
printLine(
  `${calls.length} calls, wrong: ${wrong.length}${wrong.map((sentence) => `\n  ${sentence}`).join('')}`,
);
process.exitCode = wrong.length ? 1 : 0;
