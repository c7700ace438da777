import { pino } from 'pino';

/** A logger that records warnings and errors. */
export function listeningLogger() {
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  return {
    logger,
    said: (words: string) => lines.some((line) => line.includes(words)),
    /** The security events among them. */
    security: () => lines.map((line) => JSON.parse(line)).filter(({ security }) => security),
  };
}
