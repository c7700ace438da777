import { Double, Long, Timestamp } from 'bson';
import { Context, evalExpr, OpType } from 'mingo/core';
import * as expression from 'mingo/operators/expression';
import type { Options } from 'mingo/types';
import { badValue, ServerError } from './errors.ts';
import { compare } from './order.ts';
import { clone, type Doc, isDoc } from './values.ts';

/** In an expression, unlike in a query, a missing field is less than null. */
function order(left: unknown, right: unknown): number {
  if (left !== undefined && right !== undefined) return compare(left, right);
  return Number(left !== undefined) - Number(right !== undefined);
}

/** mingo compares sub-documents, arrays and ids in its own way: MongoDB's order takes its place. */
const binary =
  (name: string, answer: (left: unknown, right: unknown) => unknown) =>
  (doc: unknown, operand: unknown, options: Options) => {
    if (!Array.isArray(operand) || operand.length !== 2) {
      throw new ServerError(16020, `Expression ${name} takes exactly 2 arguments.`);
    }
    return answer(evalExpr(doc, operand[0], options), evalExpr(doc, operand[1], options));
  };

const comparisons = {
  $eq: binary('$eq', (left, right) => order(left, right) === 0),
  $ne: binary('$ne', (left, right) => order(left, right) !== 0),
  $gt: binary('$gt', (left, right) => order(left, right) > 0),
  $gte: binary('$gte', (left, right) => order(left, right) >= 0),
  $lt: binary('$lt', (left, right) => order(left, right) < 0),
  $lte: binary('$lte', (left, right) => order(left, right) <= 0),
  $cmp: binary('$cmp', (left, right) => Math.sign(order(left, right))),
  $in: binary('$in', (value, list) => {
    if (!Array.isArray(list)) throw new ServerError(40081, '$in requires an array as a second argument');
    return list.some((item) => order(item, value) === 0);
  }),
};

/** What is taken from mingo as it is; everything else it knows is refused. */
const TRUSTED = new Set(
  '$abs $add $ceil $divide $floor $mod $multiply $subtract $trunc $arrayElemAt $concatArrays $filter $first $last $isArray $map $range $reduce $reverseArray $size $slice $and $or $not $cond $ifNull $switch $let $literal $mergeObjects $getField $setField $year $month $dayOfMonth $hour $minute $second $concat $split $strLenCP $substrCP $toLower $toUpper $rand'.split(
    ' ',
  ),
);

const context = Context.init({
  expression: {
    ...Object.fromEntries(Object.entries(expression).filter(([name]) => TRUSTED.has(name))),
    ...comparisons,
    $options: (_doc: unknown, _operand: unknown, options: Options) => options,
  },
});

/** mingo's own state of an evaluation holds the table of operators: one is made for all documents of a query. */
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
  if (!isState(state)) throw new Error('mingo does not hand its operators its state');
  return state;
}

/** mingo reckons with plain numbers and nothing else. */
const plain = (value: unknown) =>
  clone(value, (leaf) => {
    if (leaf instanceof Double) return leaf.value;
    return leaf instanceof Long && !(leaf instanceof Timestamp) ? leaf.toNumber() : leaf;
  });

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

/** Compiles an aggregation expression. Its value is undefined where MongoDB's is missing. */
export function compileExpression(operand: unknown, variables: Doc = {}): (doc: unknown) => unknown {
  check(operand);
  const body = plain(operand);
  const state = newState();
  return (doc) => {
    const root = plain(doc);
    try {
      return evalExpr(root, body, state.update({ root, variables }));
    } catch (error) {
      throw error instanceof ServerError
        ? error
        : badValue(error instanceof Error ? error.message : String(error));
    }
  };
}
