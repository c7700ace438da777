import { notSupported, ServerError } from './errors.ts';
import { valueAt } from './paths.ts';
import { type Doc, isDoc, own } from './values.ts';

/** The value of an expression for a document; undefined if it is missing. */
type Expression = (doc: Doc) => unknown;

const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0;

const operators: Record<string, (...args: unknown[]) => unknown> = {
  $arrayElemAt(list, at) {
    if (Array.isArray(list) && isCount(at)) return list[at];
    if (list === null || list === undefined) return null;
    throw notSupported('$arrayElemAt of anything but an array and a count');
  },
  $substrCP(text, from, length) {
    if (typeof text === 'string' && isCount(from) && isCount(length))
      return [...text].slice(from, from + length).join('');
    throw notSupported('$substrCP of anything but a text and two counts');
  },
};

/** Compiles an aggregation expression: a path, a value, a document of expressions or one of the operators. */
export function compileExpression(operand: unknown): Expression {
  if (typeof operand === 'string' && operand.startsWith('$')) {
    if (operand.startsWith('$$')) throw new ServerError(17276, `Use of undefined variable: ${operand}`);
    const parts = operand.slice(1).split('.');
    if (parts.includes('')) throw new ServerError(40353, `'${operand}' is no path of fields`);
    return (doc) => valueAt(doc, parts);
  }
  if (Array.isArray(operand)) throw notSupported('an array as an expression');
  if (!isDoc(operand)) return () => operand;
  const [name = '', ...more] = Object.keys(operand);
  if (!name.startsWith('$')) {
    const bad = Object.keys(operand).find((key) => /^$|^\$|\./.test(key));
    if (bad !== undefined) throw new ServerError(16412, `'${bad}' cannot name a field of an expression`);
    const fields = Object.entries(operand).map(([key, each]) => [key, compileExpression(each)] as const);
    const valuesIn = (doc: Doc) => fields.map(([key, value]) => [key, value(doc)] as const);
    return (doc) => Object.fromEntries(valuesIn(doc).filter(([, value]) => value !== undefined));
  }
  const reckon = own(operators, name);
  if (!reckon || more.length > 0) throw new ServerError(168, `Unrecognized expression '${name}'`);
  const args = operand[name];
  if (!Array.isArray(args) || args.length !== reckon.length)
    throw new ServerError(16020, `${name} takes ${reckon.length} arguments`);
  const expressions = args.map(compileExpression);
  return (doc) => reckon(...expressions.map((expression) => expression(doc)));
}
