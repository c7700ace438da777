import type { Chinese, English } from '../english.ts';
import auth from './auth.ts';
import common from './common.ts';
import home from './home.ts';
import layout from './layout.ts';
import problems from './problems.ts';

/** Everything in Chinese: a chunk of its own. */
export const chinese: { [N in keyof English]: Chinese<N> } & { problems: typeof problems } = {
  auth,
  common,
  home,
  layout,
  problems,
};
