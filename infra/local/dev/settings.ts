import { portSetting } from '@wayquest/platform/process';
import { assemblySettings, runnerSettings } from '../src/settings.ts';

/** What `make dev` is told: all that the all-in-one is, and where Vite listens. */
export const devSettings = runnerSettings
  .extend({ WEB_PORT: portSetting.default(5173).describe('Where Vite serves the web app with hot reload.') })
  .and(assemblySettings);

/** The environment of a process that `make dev` starts: its own, but for what it knows better. */
export function environmentWith(known: Record<string, string>, env = process.env): NodeJS.ProcessEnv {
  const notFromFiles = Object.keys(known).map((name) => [`${name}_FILE`, ''] as const);
  return { ...env, ...Object.fromEntries(notFromFiles), ...known };
}
