import type account from './en/account.ts';
import type admin from './en/admin.ts';
import type administration from './en/administration.ts';
import type auth from './en/auth.ts';
import type award from './en/award.ts';
import type blocks from './en/blocks.ts';
import type board from './en/board.ts';
import type categories from './en/categories.ts';
import type challenge from './en/challenge.ts';
import type challenges from './en/challenges.ts';
import type checkin from './en/checkin.ts';
import type common from './en/common.ts';
import type completion from './en/completion.ts';
import type explore from './en/explore.ts';
import type fields from './en/fields.ts';
import type home from './en/home.ts';
import type layout from './en/layout.ts';
import type leaderboard from './en/leaderboard.ts';
import type libraries from './en/libraries.ts';
import type log from './en/log.ts';
import type map from './en/map.ts';
import type messenger from './en/messenger.ts';
import type moderation from './en/moderation.ts';
import type notifications from './en/notifications.ts';
import type offline from './en/offline.ts';
import type people from './en/people.ts';
import type picture from './en/picture.ts';
import type privacy from './en/privacy.ts';
import type profile from './en/profile.ts';
import type reports from './en/reports.ts';
import type search from './en/search.ts';
import type trail from './en/trail.ts';
import type validation from './en/validation.ts';
import type welcome from './en/welcome.ts';

/** All sentences of the interface, by feature. */
export interface English {
  account: typeof account;
  admin: typeof admin;
  administration: typeof administration;
  auth: typeof auth;
  award: typeof award;
  blocks: typeof blocks;
  board: typeof board;
  challenge: typeof challenge;
  challenges: typeof challenges;
  checkin: typeof checkin;
  common: typeof common;
  fields: typeof fields;
  explore: typeof explore;
  completion: typeof completion;
  home: typeof home;
  layout: typeof layout;
  leaderboard: typeof leaderboard;
  libraries: typeof libraries;
  log: typeof log;
  map: typeof map;
  messenger: typeof messenger;
  moderation: typeof moderation;
  notifications: typeof notifications;
  offline: typeof offline;
  people: typeof people;
  picture: typeof picture;
  privacy: typeof privacy;
  profile: typeof profile;
  reports: typeof reports;
  categories: typeof categories;
  search: typeof search;
  trail: typeof trail;
  validation: typeof validation;
  welcome: typeof welcome;
}

type PluralForm = 'one' | 'other';

/** The keys of a feature's sentences, without plural suffixes. */
type Key<E> = keyof E extends infer K ? (K extends `${infer Base}_${PluralForm}` ? Base : K) : never;

type SentenceOf<E, K> = K extends keyof E ? E[K] : K extends string ? E[`${K}_other` & keyof E] : never;

/** The placeholders of a sentence: 'Rank {rank}'. `{site}`, the name of the installation, is always known. */
type Names<S> = S extends `${string}{${infer Name}}${infer Rest}`
  ? Exclude<Name, 'site'> | Names<Rest>
  : never;

type Values<N> = [N] extends [never]
  ? []
  : [values: { [K in N & string]: K extends 'count' ? number : string | number }];

/** Returns a sentence of a feature in the current language. */
export type Translate<E> = <K extends Key<E>>(key: K, ...values: Values<Names<SentenceOf<E, K>>>) => string;

/** A feature's sentences in Chinese, which has no plural forms. */
export type Chinese<N extends keyof English> = {
  [K in keyof English[N] as K extends `${string}_one` ? never : K]: string;
};
