import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ExplainedQuery } from '@wayquest/testing';

/** The page that lists every query of every service, and its index. */
const path = resolve(import.meta.dirname, '../../infra/docs/queries.md');

const head = `# What is asked of the stores

Every query of every service, and the index that answers it: what \`gateway/test/every-operation.test.ts\` saw the services
ask while it made every call in every way, and what the store explained. The test fails on a query that is not here, on one that
is no longer asked, and on one that reads a collection, or an index, from one end to the other without a reason.
\`npm run queries-page\` writes it again.

A field alone has to be equal; \`a | b\` is either. *All* is without a limit. *Sorted*: what the index leaves is put in order after
that, so it has to be little.
`;

/** Why a query may scan a collection or an index. */
const reasons: [query: RegExp, why: string][] = [
  [/^challenges \$limit \$group .*deletedAt/, 'as far as 10,001, where the length of a list is requested'],
  [/^replica_replays find {}$/, 'whether there is any: one is read'],
  [/^time_zones find all/, 'one for each time zone that there are challenges in'],
  [/^challenges distinct all/, 'once in the life of a store, by the first start that finds no counts'],
  [/^\w+ (find|delete many) all .*lastEventAt/, 'in a rebuild, which somebody orders'],
  [/ find {} by _id$/, 'once in the life of a store, by a migration'],
  [/^replica_requests find all {}$/, 'once in the life of a store, by a migration'],
  [/^profiles find {} by -_id/, 'the newest: one is read'],
  [
    /^challenges find .*deletedAt.* by -_id/,
    'as far as a page, where few are passed by (`isCrowded` in challenge-queries.ts), or 2,000 to be sorted by distance (`nearestOfFew`)',
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
  return `| ${isOfOutbox(query) ? 'each with an outbox' : `\`${query.collection}\``} | ${command}${limited ? '' : ', all'} | ${conditions} | ${index.join(', ')}${why} |`;
}

const title = '| collection | asked | looks for | index |\n|---|---|---|---|';

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
 * the number of users; and of archives whose owner is deleted while they are created.
 */
const varies = (line: string) =>
  line.startsWith('| each with an outbox') ||
  line.startsWith('| `archive_parts` | delete many, all | _id ') ||
  line.includes('| `points_-1__id_1`');

/** Returns the lines of a page that are the same in every run. */
export const listed = (page: string): string[] => page.split('\n').filter((line) => !varies(line));

export const currentPage = (): string => readFileSync(path, 'utf8');
export const writePage = (page: string): void => writeFileSync(path, page);
