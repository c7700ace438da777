import { portSetting } from '@wayquest/platform/settings';
import { assemblySettings, runnerSettings } from '../src/settings.ts';

/** The settings of `make dev`: those of the all-in-one process, and Vite’s port. */
export const devSettings = runnerSettings
  .extend({
    WEB_PORT: portSetting
      .default(5173)
      .describe('The port of Vite, which serves the web app with hot reload.'),
  })
  .and(assemblySettings);

/** Returns the environment of a process that `make dev` starts: the inherited one, overridden by `known`. */
export function environmentWith(known: Record<string, string>, env = process.env): NodeJS.ProcessEnv {
  const withoutFiles = Object.keys(known).map((name) => [`${name}_FILE`, ''] as const);
  return { ...env, ...Object.fromEntries(withoutFiles), ...known };
}
