import { pino } from 'pino';

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
