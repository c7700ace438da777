import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ExplainedQuery } from '@wayquest/testing';

/** The page that lists every query of every service, and its index. */
const path = resolve(import.meta.dirname, '../../infra/docs/queries.md');

const head = `# Queries of the stores

Every query of every service, and the index that serves it. \`gateway/test/every-operation.test.ts\` records them while it calls every
operation with every parameter, and the store explains them. The test fails on a query that is not listed here, on a listed one that is no
longer made, and on one that scans a collection or an index without a reason. \`npm run queries-page\` writes the page.

In a filter, a field alone means equality, and \`a | b\` means either. *All*: without a limit. *Sorted*: the documents that the index
returns are sorted afterwards, so they have to be few.
`;

/** Why a query may scan a collection or an index. */
const reasons: [query: RegExp, why: string][] = [
  [
    /^challenges \$limit \$group .*deletedAt/,
    'where the length of a list is requested, at most 10,001 are counted',
  ],
  [/^replica_replays find {}$/, 'to know whether there is any: one is read'],
  [/^time_zones find all/, 'one document for each time zone with challenges'],
  [/^challenges distinct all/, 'once in the life of a store: at the first start without counts'],
  [/^\w+ (find|delete many) all .*lastEventAt/, 'in a rebuild, which an operator requests'],
  [/ find {} by _id$/, 'once in the life of a store, by a migration'],
  [/^replica_requests find all {}$/, 'once in the life of a store, by a migration'],
  [/^profiles find {} by -_id/, 'only the newest is read'],
  [
    /^challenges find .*deletedAt.* by -_id/,
    'until a page is full, where few are skipped (`isCrowded` in challenge-queries.ts), or at most 2,000, which are sorted by distance (`nearestOfFew`)',
  ],
];

const nameOf = ({ collection, command, limited, filter, sort }: ExplainedQuery) =>
  `${collection} ${command}${limited ? '' : ' all'} ${filter || '{}'}${sort && ` by ${sort}`}`;

const isScan = ({ scans, narrowed }: ExplainedQuery) => scans || !narrowed;

const reasonOf = (query: ExplainedQuery) => reasons.find(([pattern]) => pattern.test(nameOf(query)))?.[1];

/** Returns the scans without a reason. */
export const scansIn = (queries: ExplainedQuery[]): string[] =>
  queries
    .filter((query) => isScan(query) && !reasonOf(query))
    .map((query) => `${query.service}: ${nameOf(query)} (${query.indexes.join(', ') || 'no index'})`);

const ofOutbox = /^((\(outboxClaim.*\)|_id( \$in)?|deletedAt|outbox[\w. $]*)(, |$))+$/;

/** The queries of outboxes are the same in all collections. */
const isOfOutbox = ({ filter }: ExplainedQuery) => filter.includes('outbox') && ofOutbox.test(filter);

function rowOf(query: ExplainedQuery): string {
  const { command, limited, filter, sort, sorts, indexes } = query;
  const index = [indexes.map((name) => `\`${name}\``).join(', ') || '–', ...(sorts ? ['sorted'] : [])];
  const why = isScan(query) ? `: ${reasonOf(query) ?? '**why?**'}` : '';
  const conditions = [filter.replaceAll('|', '\\|') || 'anything', ...(sort ? [`by ${sort}`] : [])].join(
    '; ',
  );
  return `| ${isOfOutbox(query) ? 'every one with an outbox' : `\`${query.collection}\``} | ${command}${limited ? '' : ', all'} | ${conditions} | ${index.join(', ')}${why} |`;
}

const title = '| collection | command | filter | index |\n|---|---|---|---|';

/** Formats the page. */
export function queriesPage(queries: ExplainedQuery[]): string {
  const services = new Map<string, Set<string>>();
  for (const query of queries) {
    const row = rowOf(query);
    services.set(row, (services.get(row) ?? new Set()).add(isOfOutbox(query) ? 'all' : query.service));
  }
  const rows = [...services].sort();
  const several = rows
    .filter(([, users]) => users.size > 1 || users.has('all'))
    .map(([row, users]) => `${row} ${[...users].sort().join(', ')} |`);
  const own = [...new Set(queries.map(({ service }) => service))].sort().flatMap((service) => {
    const serviceRows = rows
      .filter(([, users]) => users.size === 1 && users.has(service))
      .map(([row]) => row);
    return serviceRows.length ? [`\n## ${service}\n${title}\n${serviceRows.join('\n')}\n`] : [];
  });
  const shared = `\n## In several services\n${title.replaceAll('\n', ' services |\n')}---|\n${several.join('\n')}\n`;
  return `${head}${own.join('')}${shared}`;
}

/**
 * Rows that differ between runs: queries of outboxes, which depend on concurrent writes; of the ranking, which depend on
 * the number of users; and of archives whose owner is deleted while they are created, or that take so long that their lease is
 * renewed.
 */
const varies = (line: string) =>
  line.startsWith('| every one with an outbox') ||
  line.startsWith('| `archive_parts` | delete many, all | _id ') ||
  line.startsWith('| `archives` | update | _id, run, state ') ||
  line.includes('| `points_-1__id_1`');

/** Returns the lines of a page that are the same in every run. */
export const listed = (page: string): string[] => page.split('\n').filter((line) => !varies(line));

export const currentPage = (): string => readFileSync(path, 'utf8');
export const writePage = (page: string): void => writeFileSync(path, page);
