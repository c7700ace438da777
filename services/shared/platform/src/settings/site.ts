import { type SiteLanguage, siteLanguages } from '@wayquest/contracts';
import { z } from 'zod';

/** Control and format characters, of which some change the direction of what follows, and line breaks. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/u;
const maxNameLength = 40;

/** What people call the installation. It is text: wherever it is inserted, it is escaped. */
export const siteNameSetting = z
  .string()
  .refine(
    (name) => [...name].length <= maxNameLength && !unprintable.test(name) && /[\p{L}\p{N}]/u.test(name),
    `must be up to ${maxNameLength} characters, with a letter or digit, and without line breaks and invisible characters`,
  )
  .default('Wayquest')
  .describe(
    'What this installation is called in pages, mails, previews of links and notifications, instead of Wayquest: up to 40 characters.',
  );

/** What an operator decides about the appearance of their installation, as far as services need it. */
export const siteSettings = z.object({
  SITE_NAME: siteNameSetting,
  SITE_LANGUAGE: z
    .enum(siteLanguages, 'must be en or zh')
    .default('en')
    .describe(
      'The language of pages and mails for people whose browser asks for neither English nor Chinese: `en` or `zh`.',
    ),
});

/** An installation as people know it. */
export interface Site {
  name: string;
  /** The language for those who prefer none that there is. */
  language: SiteLanguage;
}

/** These settings as a program receives them. */
export const siteFrom = ({
  SITE_NAME: name,
  SITE_LANGUAGE: language,
}: z.output<typeof siteSettings>): Site => ({
  name,
  language,
});

/** An installation whose operator decided nothing. */
export const defaultSite: Site = siteFrom(siteSettings.parse({}));
