import {
  type SiteLanguage,
  type SitePage,
  type SitePageBlock,
  type SitePageName,
  type SitePageText,
  siteLanguages,
  sitePageNames,
} from '@wayquest/contracts';
import { invalidSite, type SiteFiles, siteTextOf } from './site-folder.ts';

/** The pages that the operator wrote. */
export interface SitePages {
  /** A page in this language, or else in the other one. */
  find(name: SitePageName, language: SiteLanguage): SitePage | undefined;
  /** All pages, in this language as far as possible. */
  list(language: SiteLanguage): { name: SitePageName; page: SitePage }[];
}

/** `[text](address)`. */
const link = /\[([^[\]]+)\]\(([^()\s]+)\)/g;

/** Addresses that a link may lead to: of other sites, of people, and paths of this site. Anything else stays text. */
const isLinked = (address: string) =>
  /^(https?:\/\/.|mailto:.|tel:.|\/(?![/\\]))/i.test(address) &&
  URL.canParse(address, 'https://site.example');

function textOf(source: string): SitePageText {
  const text: SitePageText = [];
  let end = 0;
  for (const { 0: all, 1: shown = '', 2: href = '', index } of source.matchAll(link)) {
    if (!isLinked(href)) continue;
    if (index > end) text.push(source.slice(end, index));
    text.push({ text: shown, href });
    end = index + all.length;
  }
  if (end < source.length) text.push(source.slice(end));
  return text;
}

const headingLine = /^(#{1,6})\s+(.*?)[\s#]*$/;
const itemLine = /^\s*(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;

/** The lines of a block; of a list, those of each item. */
type Draft =
  | { kind: 'heading'; level: 2 | 3; lines: string[] }
  | { kind: 'paragraph'; lines: string[] }
  | { kind: 'list'; ordered: boolean; start?: number; items: string[][] };

function draftsOf(lines: string[]): Draft[] {
  const drafts: Draft[] = [];
  /** What a line without a mark continues. */
  let open: string[] | undefined;
  for (const line of lines) {
    const [, marks, heading = ''] = headingLine.exec(line) ?? [];
    const [isItem, number, item = ''] = itemLine.exec(line) ?? [];
    const last = drafts.at(-1);
    const isInParagraph = open !== undefined && last?.kind === 'paragraph';
    if (!line.trim()) open = undefined;
    else if (marks) {
      drafts.push({ kind: 'heading', level: marks.length < 3 ? 2 : 3, lines: [heading] });
      open = undefined;
    } else if (isItem && !(isInParagraph && number && Number(number) !== 1)) {
      // A paragraph goes on with a line that only begins with a number, such as a date (CommonMark 0.31, section 5.2).
      const ordered = number !== undefined;
      const list = last?.kind === 'list' && last.ordered === ordered ? last : undefined;
      open = [item];
      if (list) list.items.push(open);
      else drafts.push({ kind: 'list', ordered, ...(ordered && { start: Number(number) }), items: [open] });
    } else if (open) open.push(line.trim());
    else {
      open = [line.trim()];
      drafts.push({ kind: 'paragraph', lines: open });
    }
  }
  return drafts;
}

const textOfLines = (lines: string[]) => textOf(lines.join('\n'));

function blockOf(draft: Draft): SitePageBlock {
  if (draft.kind === 'list') return { ...draft, items: draft.items.map(textOfLines) };
  const { lines, ...block } = draft;
  return { ...block, text: textOfLines(lines) };
}

/**
 * Parses a page: Markdown's headings, paragraphs, lists and links; everything else, also HTML, is text. Its first line is the title.
 * Line breaks are kept, as addresses need them.
 *
 * @returns Undefined without a title.
 */
function parseSitePage(source: string, language: SiteLanguage): SitePage | undefined {
  const lines = source.trim().split(/\r?\n/);
  const title = (lines[0] ?? '').replace(/^#+(?:\s+|$)/, '').trim();
  return title ? { title, language, blocks: draftsOf(lines.slice(1)).map(blockOf) } : undefined;
}

/** More is no text for people. */
const maxBytes = 200_000;

/** Parses the pages among the operator's files. Throws SettingsError for one that is none. */
export function sitePagesIn(files: SiteFiles): SitePages {
  const pages = new Map<string, SitePage>();
  for (const name of sitePageNames)
    for (const language of siteLanguages) {
      const file = `${name}.${language}.md`;
      const bytes = files.get(file);
      if (!bytes) continue;
      const page = parseSitePage(siteTextOf(file, bytes, maxBytes), language);
      if (!page) throw invalidSite(`${file} has no title, which is its first line`);
      pages.set(file, page);
    }
  const find = (name: SitePageName, language: SiteLanguage) =>
    [language, ...siteLanguages]
      .map((each) => pages.get(`${name}.${each}.md`))
      .find((page) => page !== undefined);
  return {
    find,
    list: (language) =>
      sitePageNames.flatMap((name) => {
        const page = find(name, language);
        return page ? [{ name, page }] : [];
      }),
  };
}
