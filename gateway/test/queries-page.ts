import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ExplainedQuery } from '@wayquest/testing';

/** The page that lists what every service asks of its store, and what answers it. */
const path = resolve(import.meta.dirname, '../../infra/docs/queries.md');

const head = `# What is asked of the stores

Every query of every service, and the index that answers it: what \`gateway/test/every-operation.test.ts\` saw the services
ask while it made every call in every way, and what the store explained. The test fails on a query that is not here, on one that
is no longer asked, and on one that reads a collection, or an index, from one end to the other without a reason.
\`npm run queries-page\` writes it again.

A field alone has to be equal; \`a | b\` is either. *All* is without a limit. *Sorted*: what the index leaves is put in order after
that, so it has to be little.
`;

/** Why a collection, or an index, may be read from its end. */
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
    'as far as a page, where few are passed by (`isCrowded` in challenge-queries.ts)',
  ],
];

const nameOf = ({ collection, command, limited, filter, sort }: ExplainedQuery) =>
  `${collection} ${command}${limited ? '' : ' all'} ${filter || '{}'}${sort && ` by ${sort}`}`;

const readsOn = ({ scans, narrowed }: ExplainedQuery) => scans || !narrowed;

const reasonOf = (query: ExplainedQuery) => reasons.find(([of]) => of.test(nameOf(query)))?.[1];

/** Those that read on and on without a reason. */
export const scansIn = (queries: ExplainedQuery[]): string[] =>
  queries
    .filter((query) => readsOn(query) && !reasonOf(query))
    .map((query) => `${query.service}: ${nameOf(query)} (${query.indexes.join(', ') || 'no index'})`);

const ofOutbox = /^((\(outboxClaim.*\)|_id( \$in)?|deletedAt|outbox[\w. $]*)(, |$))+$/;

/** What every outbox asks is the same, whatever else its collection holds. */
const isOfOutbox = ({ filter }: ExplainedQuery) => filter.includes('outbox') && ofOutbox.test(filter);

function rowOf(query: ExplainedQuery): string {
  const { command, limited, filter, sort, sorts, indexes } = query;
  const index = [indexes.map((name) => `\`${name}\``).join(', ') || '–', ...(sorts ? ['sorted'] : [])];
  const why = readsOn(query) ? `: ${reasonOf(query) ?? '**why?**'}` : '';
  const what = [filter.replaceAll('|', '\\|') || 'anything', ...(sort ? [`by ${sort}`] : [])].join('; ');
  return `| ${isOfOutbox(query) ? 'each with an outbox' : `\`${query.collection}\``} | ${command}${limited ? '' : ', all'} | ${what} | ${index.join(', ')}${why} |`;
}

const title = '| collection | asked | looks for | index |\n|---|---|---|---|';

/** The page as it has to be. */
export function queriesPage(queries: ExplainedQuery[]): string {
  const services = new Map<string, Set<string>>();
  for (const query of queries) {
    const row = rowOf(query);
    services.set(row, (services.get(row) ?? new Set()).add(isOfOutbox(query) ? 'all' : query.service));
  }
  const rows = [...services].sort();
  const several = rows
    .filter(([, who]) => who.size > 1 || who.has('all'))
    .map(([row, who]) => `${row} ${[...who].sort().join(', ')} |`);
  const own = [...new Set(queries.map(({ service }) => service))].sort().flatMap((service) => {
    const its = rows.filter(([, who]) => who.size === 1 && who.has(service)).map(([row]) => row);
    return its.length ? [`\n## ${service}\n${title}\n${its.join('\n')}\n`] : [];
  });
  const shared = `\n## In several services\n${title.replaceAll('\n', ' services |\n')}---|\n${several.join('\n')}\n`;
  return `${head}${own.join('')}${shared}`;
}

/**
 * What outboxes ask depends on what comes while they send; which ranges of the ranking are counted, on how many people
 * there are; whether the parts of an archive are dropped, on whether its owner is deleted while it is made.
 */
const varies = (line: string) =>
  line.startsWith('| each with an outbox') ||
  line.startsWith('| `archive_parts` | delete many, all | _id ') ||
  line.includes('| `points_-1__id_1`');

/** The lines of a page that are the same in every run. */
export const listed = (page: string): string[] => page.split('\n').filter((line) => !varies(line));

export const keptPage = (): string => readFileSync(path, 'utf8');
export const writePage = (page: string): void => writeFileSync(path, page);
