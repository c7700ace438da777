import type { Plugin } from 'vite';

/**
 * Creates a plugin that works on what a build for browsers has written, one after the other in the order of plugins.
 *
 * @param work - Not called after a failed build: there is nothing to read, and its error would hide that of the build.
 */
export function afterBuild(name: string, work: () => Promise<void>): Plugin {
  let isWritten = false;
  return {
    name,
    apply: (config, { command }) => command === 'build' && !config.build?.ssr,
    writeBundle() {
      isWritten = true;
    },
    closeBundle: {
      sequential: true,
      order: 'post',
      async handler() {
        if (isWritten) await work();
      },
    },
  };
}
