import { z } from 'zod';

declare global {
  /** The log lines of this test file's networks, for reports of failures. */
  var wayquestLines:
    | { consoleErrors(): string; begin(): void; logs(): [part: string, lines: string[]][] }
    | undefined;
}

/** How many lines of each part are kept, and how many are reported for one with warnings. */
const kept = 1_000;
const reported = 50;

const Logged = z.object({
  level: z.number(),
  time: z.number(),
  msg: z.string().default(''),
  service: z.string().optional(),
});
/** Fields that are the same in all lines of a part. */
const alike = ['level', 'time', 'msg', 'service', 'name', 'pid', 'hostname'];
const levels: Record<number, string> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
};
const warning = 40;

function parsed(line: string) {
  try {
    const content: unknown = JSON.parse(line);
    return { content, logged: Logged.safeParse(content).data };
  } catch {
    // A process that crashes writes text.
    return { content: line, logged: undefined };
  }
}

function readable(line: string): string {
  const { content, logged } = parsed(line);
  if (!logged) return line;
  const rest = Object.entries(content ?? {}).filter(([name]) => !alike.includes(name));
  const when = new Date(logged.time).toISOString().slice(11, 23);
  const more = rest.length ? ` ${JSON.stringify(Object.fromEntries(rest))}` : '';
  return `${when} ${levels[logged.level] ?? logged.level} ${logged.msg}${more}`;
}

/** The last log lines of the parts of a network. */
export interface Lines {
  add(part: string, line: string): void;
  /** Adds a line of a logger that several parts share. */
  addShared(line: string): void;
  /** Readable lines, the newest last. */
  of(part: string, last?: number): string[];
  /** Forgets earlier warnings, since another test begins. */
  begin(): void;
  /** The last lines of each part that logged a warning or an error, or crashed; empty without any. */
  consoleErrors(): string;
  /** All recorded lines, as they were logged. */
  logs(): [part: string, lines: string[]][];
  /** The network has stopped. */
  stop(): void;
}

const running = new Set<Lines>();
/** A failed test has stopped its own network before the failure is reported. */
const stopped = new Set<Lines>();

/** Creates the log recorder of a network. */
export function keepLines(): Lines {
  const linesOf = new Map<string, string[]>();
  const complained = new Set<string>();

  const lines: Lines = {
    add(part, line) {
      const { logged } = parsed(line);
      const its = linesOf.get(part) ?? [];
      linesOf.set(part, its);
      its.push(line);
      if (its.length > kept) its.shift();
      if (!logged || logged.level >= warning) complained.add(part);
    },
    addShared: (line) => lines.add(parsed(line).logged?.service ?? 'all', line.trimEnd()),
    of: (part, last = reported) => (linesOf.get(part) ?? []).slice(-last).map(readable),
    consoleErrors: () =>
      [...complained].map((part) => [`${part} complained:`, ...lines.of(part)].join('\n  ')).join('\n'),
    logs: () => [...linesOf],
    begin: () => complained.clear(),
    stop() {
      running.delete(lines);
      stopped.add(lines);
    },
  };
  running.add(lines);
  globalThis.wayquestLines = {
    consoleErrors: () =>
      [...running, ...stopped]
        .map(({ consoleErrors }) => consoleErrors())
        .filter(Boolean)
        .join('\n'),
    // The parts of several networks have the same names.
    logs: () =>
      [...running, ...stopped].flatMap((lines, index) =>
        lines.logs().map(([part, its]): [string, string[]] => [index ? `${part}-${index + 1}` : part, its]),
      ),
    begin() {
      stopped.clear();
      for (const lines of running) lines.begin();
    },
  };
  return lines;
}
