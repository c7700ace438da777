import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { siteLanguages, sitePageNames } from '@wayquest/contracts';
import { SettingsError } from '@wayquest/platform/settings';

/** An error about a file of the operator's, for the operator. */
export const invalidSite = (reason: string, cause?: unknown): SettingsError =>
  new SettingsError(`These settings are invalid or missing:\n  SITE_FOLDER: ${reason}`, { cause });

/** The operator's files, by name. */
export type SiteFiles = ReadonlyMap<string, Buffer>;

const pageFile = new RegExp(`^(?:${sitePageNames.join('|')})\\.(?:${siteLanguages.join('|')})\\.md$`);
const logoFile = /^logo\.(?:png|svg)$/;

/** Why a file that looks like one of ours is none; undefined if it does not look like one. */
function misnamed(file: string): string | undefined {
  if (/^[^.].*\.(md|txt)$/i.test(file))
    return `${file} is none of its pages, which are ${sitePageNames.join(', ')}, each as <page>.en.md, <page>.zh.md or both`;
  if (/^[^.].*\.(png|svg|jpe?g|gif|webp)$/i.test(file))
    return `${file} is no logo, which is logo.png, with or without a logo.svg`;
  return undefined;
}

/**
 * Reads the operator's pages and logo from a folder: `imprint.en.md`, `imprint.zh.md`, `logo.png` and so on. Only files of these names are
 * read.
 *
 * @throws SettingsError which says what is wrong, also about a text or picture of another name, since nobody would ever see it.
 */
export async function readSiteFolder(folder: string | undefined): Promise<SiteFiles> {
  const files = new Map<string, Buffer>();
  if (folder === undefined) return files;
  const unreadable = (what: string) => (error: NodeJS.ErrnoException) => {
    throw invalidSite(`${what} cannot be read (${error.code ?? error.message})`, error);
  };
  const names = await readdir(folder).catch(unreadable(`names ${folder}, which`));
  for (const name of names) {
    if (pageFile.test(name) || logoFile.test(name))
      files.set(name, await readFile(join(folder, name)).catch(unreadable(name)));
    else {
      const reason = misnamed(name);
      if (reason !== undefined) throw invalidSite(reason);
    }
  }
  return files;
}

/** Returns a file's text. Throws SettingsError if it is too long, or none. */
export function siteTextOf(name: string, bytes: Buffer, maxBytes: number): string {
  if (bytes.length > maxBytes) throw invalidSite(`${name} has more than ${maxBytes / 1_000} kB`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw invalidSite(`${name} is not a text in UTF-8`, error);
  }
}
