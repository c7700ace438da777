import type { Exchange } from '../http/index.ts';

export const mailLanguages = ['en', 'zh'] as const;
export type MailLanguage = (typeof mailLanguages)[number];

/** What mails that come of a call are written in: the page says its own language. */
export const mailLanguageOf = ({ request }: Pick<Exchange, 'request'>): MailLanguage =>
  mailLanguages.find((language) => language === request.acceptsLanguages([...mailLanguages])) ?? 'en';
