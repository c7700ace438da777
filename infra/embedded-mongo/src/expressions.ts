import { Double, Long } from 'bson';
import { Context, evalExpr, OpType } from 'mingo/core';
import * as expression from 'mingo/operators/expression';
import type { Options } from 'mingo/types';
import { ServerError } from './errors.ts';
import { compare } from './order.ts';
import { type Doc, isDoc, put } from './values.ts';

type Operator = (doc: unknown, operand: unknown, options: Options) => unknown;

/** mingo compares sub-documents, arrays and ids in its own way: MongoDB's order takes its place. */
const comparison =
  (name: string, answer: (order: number) => unknown): Operator =>
  (doc, operand, options) => {
    if (!Array.isArray(operand) || operand.length !== 2) {
      throw new ServerError(16020, `Expression ${name} takes exactly 2 arguments.`);
    }
    const [left, right] = operand.map((item) => evalExpr(doc, item, options));
    return answer(compareMissing(left, right));
  };

/** In an expression, unlike in a query, a missing field is less than null. */
function compareMissing(left: unknown, right: unknown): number {
  if (left === undefined || right === undefined)
    return Number(left !== undefined) - Number(right !== undefined);
  return compare(left, right);
}

const isIn: Operator = (doc, operand, options) => {
  if (!Array.isArray(operand) || operand.length !== 2) {
    throw new ServerError(16020, 'Expression $in takes exactly 2 arguments.');
  }
  const [value, list] = operand.map((item) => evalExpr(doc, item, options));
  if (!Array.isArray(list)) throw new ServerError(40081, '$in requires an array as a second argument');
  return list.some((item) => compareMissing(item, value) === 0);
};

/** What is taken from mingo as it is; everything else it knows is refused. */
const TRUSTED = [
  '$abs $add $ceil $divide $floor $mod $multiply $pow $round $sqrt $subtract $trunc',
  '$arrayElemAt $concatArrays $filter $first $last $isArray $map $range $reduce $reverseArray $size $slice',
  '$and $or $not $cond $ifNull $switch $let $literal $mergeObjects $getField $setField $objectToArray',
  '$year $month $dayOfMonth $dayOfWeek $dayOfYear $hour $minute $second $millisecond $dateToString',
  '$concat $split $strLenCP $substrCP $toLower $toUpper $trim $ltrim $rtrim $toString $rand',
].flatMap((names) => names.split(' '));

const context = Context.init({
  expression: {
    ...Object.fromEntries(Object.entries(expression).filter(([name]) => TRUSTED.includes(name))),
    $eq: comparison('$eq', (order) => order === 0),
    $ne: comparison('$ne', (order) => order !== 0),
    $gt: comparison('$gt', (order) => order > 0),
    $gte: comparison('$gte', (order) => order >= 0),
    $lt: comparison('$lt', (order) => order < 0),
    $lte: comparison('$lte', (order) => order <= 0),
    $cmp: comparison('$cmp', Math.sign),
    $in: isIn,
    $options: (_doc: unknown, _operand: unknown, options: Options) => options,
  },
});

/** mingo's own state of an evaluation, which holds the operator table: one serves for all documents of a query. */
type State = Options & { update(locals: { root: unknown; variables: Doc }): State };
const isState = (value: unknown): value is State =>
  typeof value === 'object' && value !== null && 'update' in value;

function newState(): State {
  const options = {
    idKey: '_id',
    processingMode: 0,
    useStrictMode: true,
    scriptEnabled: false,
    failOnError: true,
  };
  const state = evalExpr({}, { $options: 1 }, { ...options, context });
  if (!isState(state)) throw new Error('mingo hands its operators something else than its state');
  return state;
}

/** Numbers as plain numbers throughout, since mingo reckons with nothing else. */
export function plain(value: unknown): unknown {
  if (value instanceof Double) return value.value;
  if (value instanceof Long) return value.toNumber();
  if (Array.isArray(value)) return value.map(plain);
  if (!isDoc(value)) return value;
  const copy: Doc = {};
  for (const key of Object.keys(value)) put(copy, key, plain(value[key]));
  return copy;
}

function check(operand: unknown): void {
  if (Array.isArray(operand)) for (const item of operand) check(item);
  if (!isDoc(operand)) return;
  for (const [key, value] of Object.entries(operand)) {
    if (key.startsWith('$') && (key === '$options' || context.getOperator(OpType.EXPRESSION, key) === null)) {
      throw new ServerError(168, `Unrecognized expression '${key}'`);
    }
    if (key !== '$literal') check(value);
  }
}

/** Compiles an aggregation expression; its value is undefined where MongoDB's is missing. */
export function compileExpression(operand: unknown, variables: Doc = {}): (doc: unknown) => unknown {
  check(operand);
  const body = plain(operand);
  const state = newState();
  return (doc) => {
    const root = plain(doc);
    try {
      return evalExpr(root, body, state.update({ root, variables }));
    } catch (error) {
      if (error instanceof ServerError) throw error;
      throw new ServerError(2, error instanceof Error ? error.message : String(error));
    }
  };
}
