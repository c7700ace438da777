import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { filesIn } from './files.ts';

const root = resolve(import.meta.dirname, '../../..');
const decisions = join(root, 'infra/docs/adr');

/** Returns the files that a page links to, relative to it. */
const linksOf = (page: string): string[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map(
    ([, link = '']) => link,
  );

it('links of all pages lead to existing files', () => {
  const pages = filesIn(root, /\.md$/).map((path) => relative(root, path));
  const broken = pages.flatMap((page) =>
    linksOf(page)
      .filter((link) => !existsSync(resolve(root, dirname(page), link)))
      .map((link) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

it('the index of decisions lists each one with its title, status and date', () => {
  const index = readFileSync(join(decisions, 'README.md'), 'utf8');
  const rows = readdirSync(decisions)
    .filter((name) => /^\d{4}-/.test(name))
    .map((name) => {
      const text = readFileSync(join(decisions, name), 'utf8');
      const [, number, title, status, date] =
        /^# (\d+)\. (.+)\n\n(Accepted|Superseded), (\d+ \w+ \d{4})\./.exec(text) ?? [];
      return `| ${number} | [${title}](${name}) | ${status?.toLowerCase()}, ${date} |`;
    });
  expect(rows.filter((row) => !index.includes(row))).toEqual([]);
});
