import type { Plugin } from 'vite';

/** Quoted once: what is written with another quote inside stays. */
const summary = /(\bsummary:\s*)'[^'\\\n]*'/g;

/** What an operation's summary says is for the documentation, which the gateway makes: browsers need not load it. */
export function leaveOutSummaries(): Plugin {
  return {
    name: 'wayquest:leave-out-summaries',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/contracts\/src\// },
      handler: (code) => ({ code: code.replace(summary, "$1''"), map: null }),
    },
  };
}
