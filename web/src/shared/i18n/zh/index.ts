import {
  chineseSuggestionTexts,
  fillInChinese,
  isSuggestionTextKey,
  suggestionText,
} from '@wayquest/contracts';
import type { LanguageRules } from '../catalogue.ts';
import type { Chinese, English } from '../english.ts';
import account from './account.ts';
import admin from './admin.ts';
import administration from './administration.ts';
import auth from './auth.ts';
import award from './award.ts';
import blocks from './blocks.ts';
import board from './board.ts';
import categories from './categories.ts';
import challenge from './challenge.ts';
import challenges from './challenges.ts';
import checkin from './checkin.ts';
import common from './common.ts';
import completion from './completion.ts';
import explore from './explore.ts';
import fields from './fields.ts';
import home from './home.ts';
import layout from './layout.ts';
import leaderboard from './leaderboard.ts';
import libraries from './libraries.ts';
import log from './log.ts';
import map from './map.ts';
import messenger from './messenger.ts';
import moderation from './moderation.ts';
import notifications from './notifications.ts';
import offline from './offline.ts';
import people from './people.ts';
import picture from './picture.ts';
import privacy from './privacy.ts';
import problems from './problems.ts';
import profile from './profile.ts';
import { chineseReasons } from './reasons.ts';
import reports from './reports.ts';
import search from './search.ts';
import trail from './trail.ts';
import validation from './validation.ts';
import welcome from './welcome.ts';

/** The Chinese texts of a suggestion; undefined for a template that this version does not know. */
const templates: LanguageRules['templates'] = ({ key, place }) =>
  isSuggestionTextKey(key) ? suggestionText(chineseSuggestionTexts, 'zh', { key, place }) : undefined;

/** Dates stay as `Intl` formats them. */
export const chineseRules: LanguageRules = {
  reasons: chineseReasons,
  templates,
  fillIn: fillInChinese,
  spaceUnit: (text) => text.replace(/(\d)(?=\p{Script=Han})/u, '$1 '),
};

/** All Chinese sentences, in their own chunk. */
export const chinese: { [N in keyof English]: Chinese<N> } & { problems: typeof problems } = {
  account,
  admin,
  administration,
  auth,
  award,
  blocks,
  board,
  challenge,
  challenges,
  checkin,
  common,
  fields,
  explore,
  completion,
  home,
  layout,
  leaderboard,
  libraries,
  log,
  map,
  messenger,
  moderation,
  notifications,
  offline,
  people,
  picture,
  privacy,
  problems,
  profile,
  reports,
  categories,
  search,
  trail,
  validation,
  welcome,
};
