import { EventEmitter } from 'node:events';
import { currentRequestId } from '@wayquest/platform/telemetry';
import type { CommandStartedEvent, Db, Document } from 'mongodb';
import mongoose from 'mongoose';
import { storeUrl } from './store.ts';

/** Returns the store's URL with command monitoring, which `recordCommands` and `recordQueries` need. */
export function monitoredStoreUrl(): string {
  const url = new URL(storeUrl());
  url.searchParams.set('monitorCommands', 'true');
  return url.href;
}

/**
 * Records the commands that a service sends to its store while it handles requests and events; not those of health
 * checks and periodic tasks.
 *
 * @param database - The service's database.
 */
export function recordCommands(database: string): CommandStartedEvent[] {
  const recorded: CommandStartedEvent[] = [];
  const client = mongoose.connections.find(({ name }) => name === database)?.getClient();
  if (!client) throw new Error(`no service is connected to ${database}`);
  client.on('commandStarted', (event) => {
    if (currentRequestId()) recorded.push(event);
  });
  return recorded;
}

/** A query of a service to a collection, without its values. */
export interface RecordedQuery {
  service: string;
  collection: string;
  /** `find`, `update` …, or the stages of a pipeline. */
  command: string;
  /** The filter; a field without an operator is compared for equality. */
  filter: string;
  sort: string;
  /** Whether it returns at most a page. */
  limited: boolean;
  /** An example of this query, to be explained by the store. */
  example: { find: string; filter: Document; sort?: Document; hint?: unknown };
  database: string;
}

/** How a store executes a query: by indexes, or by scanning the collection. */
export interface ExplainedQuery extends RecordedQuery {
  indexes: string[];
  scans: boolean;
  /** Whether the filter narrows each index; otherwise the index is read from its end. */
  narrowed: boolean;
  /** Whether the result is sorted afterwards. */
  sorts: boolean;
}

const isDocument = (value: unknown): value is Document =>
  value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype;

const documents = (value: unknown): Document[] => (Array.isArray(value) ? value.filter(isDocument) : []);

/** Removes duplicates and sorts, since the number of tokens or days in a query varies. */
const distinct = (texts: string[]) => [...new Set(texts)].sort();

function conditionOf(value: unknown): string {
  if (value instanceof RegExp || value instanceof mongoose.mongo.BSONRegExp) {
    const pattern = value instanceof RegExp ? value.source : value.pattern;
    return pattern.startsWith('^') ? ' begins with' : ' has';
  }
  if (!isDocument(value) || !Object.keys(value).some((name) => name.startsWith('$'))) return '';
  return Object.keys(value)
    .map((name) => ` ${name}`)
    .join('');
}

/** Formats a filter in one line. */
function shapeOf(filter: Document): string {
  const parts = Object.entries(filter).flatMap(([name, value]) => {
    if (name === '$and') return documents(value).map(shapeOf).filter(Boolean);
    if (name === '$or' || name === '$nor')
      return [`${name === '$nor' ? 'not ' : ''}(${distinct(documents(value).map(shapeOf)).join(' | ')})`];
    return [name + conditionOf(value)];
  });
  return distinct(parts).join(', ');
}

/** Formats a sort order, which the driver may have turned into a Map. */
const sortOf = (sort: Document | Map<string, unknown> = {}) =>
  [...(sort instanceof Map ? sort : Object.entries(sort))]
    .map(([name, direction]) => (direction === -1 ? `-${name}` : name))
    .join(', ');

type ParsedQuery = Pick<RecordedQuery, 'command' | 'limited'> & {
  filter: Document;
  sort?: Document;
  hint?: unknown;
};

/** Returns the query of a pipeline's first stages, which may use an index. */
function queryOfPipeline(pipeline: Document[], hint: unknown): ParsedQuery {
  const names = pipeline.map((stage) => Object.keys(stage)[0] ?? '');
  const filter = names[0] === '$match' ? pipeline[0]?.$match : {};
  const sort = pipeline.find((stage) => stage.$sort)?.$sort;
  const command = names.filter((name) => name !== '$match' && name !== '$sort').join(' ');
  return { command, filter, sort, hint, limited: pipeline.some((stage) => stage.$limit) };
}

/** Returns the queries of a command; none for inserts and other commands. */
function queriesOf({ commandName, command }: CommandStartedEvent): ParsedQuery[] {
  const { filter = {}, query = {}, sort, hint, limit, singleBatch } = command;
  switch (commandName) {
    case 'find':
      return [{ command: 'find', filter, sort, hint, limited: Boolean(limit || singleBatch) }];
    case 'count':
    case 'distinct':
      return [{ command: commandName, filter: query, hint, limited: Boolean(limit) }];
    case 'findAndModify':
      return [{ command: commandName, filter: query, sort, hint, limited: true }];
    case 'aggregate':
      return [queryOfPipeline(documents(command.pipeline), hint)];
    case 'update':
      return documents(command.updates).map(({ q, multi, hint }) => ({
        ...{ command: multi ? 'update many' : 'update', filter: q, hint, limited: !multi },
      }));
    case 'delete':
      return documents(command.deletes).map(({ q, limit, hint }) => ({
        ...{ command: limit ? 'delete' : 'delete many', filter: q, hint, limited: Boolean(limit) },
      }));
    default:
      return [];
  }
}

/**
 * Records the queries of services that start after this call. Their store's URL has to be `monitoredStoreUrl`.
 *
 * @param serviceOf - Returns the service of a database; undefined if it should not be recorded.
 * @returns A function that returns the distinct queries recorded so far.
 */
export function recordQueries(serviceOf: (database: string) => string | undefined): () => RecordedQuery[] {
  const recorded = new Map<string, RecordedQuery>();
  const record = (event: CommandStartedEvent) => {
    const database = event.databaseName;
    const service = serviceOf(database);
    if (service === undefined) return;
    const collection = String(event.command[event.commandName]);
    for (const { command, filter, sort, hint, limited } of queriesOf(event)) {
      const shape = { filter: shapeOf(filter), sort: sortOf(sort) };
      const key = JSON.stringify([service, collection, command, shape, limited]);
      const example = {
        find: collection,
        filter,
        ...(sort && { sort }),
        ...(hint !== undefined && { hint }),
      };
      if (!recorded.has(key))
        recorded.set(key, { service, collection, command, ...shape, limited, example, database });
    }
  };
  // Not in mongoose's types; a listener that is added later would miss the queries of a service's start.
  const events: unknown = Reflect.get(mongoose, 'events');
  if (!(events instanceof EventEmitter)) throw new Error('mongoose.events is missing');
  events.on('createConnection', (connection: mongoose.Connection) => {
    connection.once('connected', () => connection.getClient().on('commandStarted', record));
  });
  return () => [...recorded.values()];
}

/** Returns the stages of a plan that access data. */
function accessesOf(stage: Document): Document[] {
  const children = [stage.inputStage, ...documents(stage.inputStages)].filter(isDocument);
  return children.length ? children.flatMap(accessesOf) : [stage];
}

const pathsOf = (filter: Document): string[] =>
  Object.entries(filter).flatMap(([name, value]) =>
    name.startsWith('$') ? documents(value).flatMap(pathsOf) : [name],
  );

const sortsIn = (stage: Document): boolean =>
  stage.stage === 'SORT' ||
  [stage.inputStage, ...documents(stage.inputStages)].filter(isDocument).some(sortsIn);

/** Explains how the store executes a query. */
export async function explainQuery(query: RecordedQuery, db: Db): Promise<ExplainedQuery> {
  const { queryPlanner } = await db.command({ explain: query.example, verbosity: 'queryPlanner' });
  const accesses = accessesOf(queryPlanner.winningPlan);
  const paths = new Set(pathsOf(query.example.filter));
  return {
    ...query,
    indexes: distinct(accesses.flatMap(({ indexName }) => (indexName ? [String(indexName)] : []))),
    scans: accesses.some(({ stage }) => stage === 'COLLSCAN'),
    narrowed: accesses.every(({ keyPattern }) => paths.has(Object.keys(keyPattern ?? {})[0] ?? '')),
    sorts: sortsIn(queryPlanner.winningPlan),
  };
}
