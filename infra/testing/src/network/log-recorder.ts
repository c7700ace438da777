import { pino } from 'pino';
import { z } from 'zod';

/** Creates a logger that records warnings and errors. */
export function createRecordingLogger() {
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  return {
    logger,
    hasLogged: (text: string) => lines.some((line) => line.includes(text)),
    /** The recorded security events, parsed. */
    securityEvents: () =>
      lines.map((line) => JSON.parse(line)).filter(({ security: securityEvents }) => securityEvents),
  };
}

declare global {
  /** The log lines of this test file's networks, for reports of failures. */
  var wayquestLines:
    | { warnings(): string; clearWarnings(): void; logs(): [part: string, lines: string[]][] }
    | undefined;
}

/** Number of lines recorded for each part, and reported for a part with warnings. */
const maxLines = 1_000;
const maxReportedLines = 50;

const Logged = z.object({
  level: z.number(),
  time: z.number(),
  msg: z.string().default(''),
  service: z.string().optional(),
});
/** Fields that are the same in all lines of a part. */
const commonFields = ['level', 'time', 'msg', 'service', 'name', 'pid', 'hostname'];
const levels: Record<number, string> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
};
const warnLevel = 40;

function parseLine(line: string) {
  try {
    const content: unknown = JSON.parse(line);
    return { content, logged: Logged.safeParse(content).data };
  } catch {
    // A process that crashes writes text.
    return { content: line, logged: undefined };
  }
}

function formatLine(line: string): string {
  const { content, logged } = parseLine(line);
  if (!logged) return line;
  const rest = Object.entries(content ?? {}).filter(([name]) => !commonFields.includes(name));
  const when = new Date(logged.time).toISOString().slice(11, 23);
  const more = rest.length ? ` ${JSON.stringify(Object.fromEntries(rest))}` : '';
  return `${when} ${levels[logged.level] ?? logged.level} ${logged.msg}${more}`;
}

/** Records the last log lines of each part of a network. */
export interface LogRecorder {
  add(part: string, line: string): void;
  /** Adds a line of a logger that several parts share. */
  addShared(line: string): void;
  /** Readable lines, the newest last. */
  of(part: string, last?: number): string[];
  /** Forgets earlier warnings; called before each test. */
  clearWarnings(): void;
  /** The last lines of each part that logged a warning or an error, or crashed; empty without any. */
  warnings(): string;
  /** All recorded lines, as they were logged. */
  logs(): [part: string, lines: string[]][];
  /** The network has stopped. */
  stop(): void;
}

const running = new Set<LogRecorder>();
/** Still reported: a failed test stops its network before the failure is reported. */
const stopped = new Set<LogRecorder>();

/** Creates the log recorder of a network. */
export function createLogRecorder(): LogRecorder {
  const linesOf = new Map<string, string[]>();
  const partsWithWarnings = new Set<string>();

  const lines: LogRecorder = {
    add(part, line) {
      const { logged } = parseLine(line);
      const partLines = linesOf.get(part) ?? [];
      linesOf.set(part, partLines);
      partLines.push(line);
      if (partLines.length > maxLines) partLines.shift();
      if (!logged || logged.level >= warnLevel) partsWithWarnings.add(part);
    },
    addShared: (line) => lines.add(parseLine(line).logged?.service ?? 'all', line.trimEnd()),
    of: (part, last = maxReportedLines) => (linesOf.get(part) ?? []).slice(-last).map(formatLine),
    warnings: () =>
      [...partsWithWarnings]
        .map((part) => [`warnings of ${part}:`, ...lines.of(part)].join('\n  '))
        .join('\n'),
    logs: () => [...linesOf],
    clearWarnings: () => partsWithWarnings.clear(),
    stop() {
      running.delete(lines);
      stopped.add(lines);
    },
  };
  running.add(lines);
  globalThis.wayquestLines = {
    warnings: () =>
      [...running, ...stopped]
        .map(({ warnings }) => warnings())
        .filter(Boolean)
        .join('\n'),
    // The parts of several networks have the same names.
    logs: () =>
      [...running, ...stopped].flatMap((lines, index) =>
        lines
          .logs()
          .map(([part, partLines]): [string, string[]] => [index ? `${part}-${index + 1}` : part, partLines]),
      ),
    clearWarnings() {
      stopped.clear();
      for (const lines of running) lines.clearWarnings();
    },
  };
  return lines;
}
