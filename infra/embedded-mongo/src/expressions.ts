import { notSupported, ServerError, typeMismatch } from './errors.ts';
import { type Doc, isDoc, numberOf, own, put } from './values.ts';

/** The value of an expression over a document; undefined where MongoDB's is missing. */
type Expression = (doc: Doc) => unknown;

/** The value at a path of fields; an array on the way becomes the array of what its documents hold. */
function fieldOf(value: unknown, parts: string[], from = 0): unknown {
  const part = parts[from];
  if (part === undefined) return value;
  if (!Array.isArray(value)) return isDoc(value) ? fieldOf(own(value, part), parts, from + 1) : undefined;
  return value.map((item) => fieldOf(item, parts, from)).filter((item) => item !== undefined);
}

function needWhole(value: unknown, name: string): number {
  const number = numberOf(value);
  if (number !== undefined && Number.isInteger(number)) return number;
  throw typeMismatch(`${name} needs a whole number`);
}

/** The operators, each with the number of its arguments. */
const operators: Record<string, [count: number, reckon: (...args: unknown[]) => unknown]> = {
  $arrayElemAt: [
    2,
    (list, at) => {
      if (list === null || list === undefined || at === null || at === undefined) return null;
      if (Array.isArray(list)) return list.at(needWhole(at, '$arrayElemAt'));
      throw new ServerError(28689, "$arrayElemAt's first argument must be an array");
    },
  ],
  $substrCP: [
    3,
    (text, from, length) => {
      const [start, count] = [needWhole(from, '$substrCP'), needWhole(length, '$substrCP')];
      if (start < 0 || count < 0) throw new ServerError(34455, '$substrCP takes no negative numbers');
      if (text === null || text === undefined) return '';
      if (typeof text === 'string') return [...text].slice(start, start + count).join('');
      throw notSupported('$substrCP of anything but text');
    },
  ],
};

/** Compiles an aggregation expression: a path, a value, a document of expressions or one of the operators. */
export function compileExpression(operand: unknown): Expression {
  if (typeof operand === 'string' && operand.startsWith('$')) {
    if (operand.startsWith('$$')) throw new ServerError(17276, `Use of undefined variable: ${operand}`);
    const parts = operand.slice(1).split('.');
    if (parts.includes('')) throw new ServerError(40353, `'${operand}' is no path of fields`);
    return (doc) => fieldOf(doc, parts);
  }
  if (Array.isArray(operand)) {
    const items = operand.map(compileExpression);
    return (doc) => items.map((item) => item(doc) ?? null);
  }
  if (!isDoc(operand)) return () => operand;
  const [name = ''] = Object.keys(operand);
  if (name.startsWith('$')) return compileOperator(name, operand);
  const fields = Object.entries(operand).map(([key, each]) => [key, compileExpression(each)] as const);
  return (doc) => {
    const result: Doc = {};
    for (const [key, expression] of fields) {
      const value = expression(doc);
      if (value !== undefined) put(result, key, value);
    }
    return result;
  };
}

function compileOperator(name: string, spec: Doc): Expression {
  const [count, reckon] = (Object.hasOwn(operators, name) ? operators[name] : undefined) ?? [];
  if (!reckon || Object.keys(spec).length > 1)
    throw new ServerError(168, `Unrecognized expression '${name}'`);
  const args = spec[name];
  if (!Array.isArray(args) || args.length !== count)
    throw new ServerError(16020, `${name} takes ${count} arguments`);
  const expressions = args.map(compileExpression);
  return (doc) => reckon(...expressions.map((expression) => expression(doc)));
}
