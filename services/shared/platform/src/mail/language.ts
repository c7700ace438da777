import type { Exchange } from '../http/index.ts';

export const mailLanguages = ['en', 'zh'] as const;
export type MailLanguage = (typeof mailLanguages)[number];

/** The language of mails caused by a call: that of the page. */
export const mailLanguageOf = ({ request }: Pick<Exchange, 'request'>): MailLanguage =>
  mailLanguages.find((language) => language === request.acceptsLanguages([...mailLanguages])) ?? 'en';
