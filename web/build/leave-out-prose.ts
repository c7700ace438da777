import type { Plugin } from 'vite';

/** Quoted once: what is written with another quote inside stays. */
const prose = /(\b(?:summary|description):\s*)'[^'\\\n]*'/g;

/** What summaries and descriptions say is for the documentation, which the gateway makes: browsers need not load them. */
export function leaveOutProse(): Plugin {
  return {
    name: 'wayquest:leave-out-prose',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/contracts\/src\// },
      handler: (code) => ({ code: code.replace(prose, "$1''"), map: null }),
    },
  };
}
