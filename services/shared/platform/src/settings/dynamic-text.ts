import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Logger } from '../telemetry/logging.ts';

/** A text, or a function that returns its current value if it can change while the process runs. */
export type DynamicText = string | (() => string);

export const currentText = (text: DynamicText): string => (typeof text === 'string' ? text : text());

/** A value derived from a text that may change; derived again only after a change. */
export function derivedFrom<T>(text: DynamicText, derive: (text: string) => T): () => T {
  let cached: { text: string; value: T } | undefined;
  return () => {
    const current = currentText(text);
    if (cached?.text !== current) cached = { text: current, value: derive(current) };
    return cached.value;
  };
}

/** Maximum age of a value that was read from a file. */
export const fileReloadIntervalMs = 10_000;

/**
 * The content of a file, read again on access after an interval. Invalid or unreadable content leaves the value as
 * it was.
 */
export function watchFile(
  file: string,
  schema: z.core.$ZodType,
  { logger, everyMs = fileReloadIntervalMs }: { logger: Logger; everyMs?: number },
): () => string {
  let text = readFileSync(file, 'utf8').trim();
  let readAt = performance.now();

  const read = () => {
    try {
      const current = readFileSync(file, 'utf8').trim();
      if (current === text) return;
      z.parse(schema, current);
      text = current;
      logger.info({ file }, 'reloaded a file');
    } catch (error) {
      const reason = error instanceof z.ZodError ? error.issues.map(({ message }) => message) : error;
      logger.error({ file, reason }, 'could not reload a file; its previous content stays in use');
    }
  };

  return () => {
    if (performance.now() - readAt >= everyMs) {
      readAt = performance.now();
      read();
    }
    return text;
  };
}
