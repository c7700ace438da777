import { notSupported, ServerError } from './errors.ts';
import { type Doc, isDoc, own } from './values.ts';

/** The value of an expression over a document; undefined where MongoDB's is missing. */
type Expression = (doc: Doc) => unknown;

/** The value at a path of fields; an array on the way becomes the array of what its documents hold. */
function fieldOf(value: unknown, parts: string[], from = 0): unknown {
  const part = parts[from];
  if (part === undefined) return value;
  if (!Array.isArray(value)) return isDoc(value) ? fieldOf(own(value, part), parts, from + 1) : undefined;
  return value.map((item) => fieldOf(item, parts, from)).filter((item) => item !== undefined);
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0;

const operators: Record<string, (...args: unknown[]) => unknown> = {
  $arrayElemAt(list = null, at) {
    if (Array.isArray(list) && isCount(at)) return list[at];
    if (list === null) return null;
    throw notSupported('$arrayElemAt of anything but an array and a count');
  },
  $substrCP(text, from, length) {
    if (typeof text === 'string' && isCount(from) && isCount(length))
      return [...text].slice(from, from + length).join('');
    throw notSupported('$substrCP of anything but a text and two counts');
  },
};

/** Compiles an aggregation expression: a path, a value or one of the operators. */
export function compileExpression(operand: unknown): Expression {
  if (typeof operand === 'string' && operand.startsWith('$')) {
    if (operand.startsWith('$$')) throw new ServerError(17276, `Use of undefined variable: ${operand}`);
    const parts = operand.slice(1).split('.');
    if (parts.includes('')) throw new ServerError(40353, `'${operand}' is no path of fields`);
    return (doc) => fieldOf(doc, parts);
  }
  const [name = '', ...more] = isDoc(operand) ? Object.keys(operand) : [];
  if (Array.isArray(operand) || (isDoc(operand) && !name.startsWith('$')))
    throw notSupported('an array or a document as an expression');
  if (!isDoc(operand)) return () => operand;
  const reckon = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (!reckon || more.length > 0) throw new ServerError(168, `Unrecognized expression '${name}'`);
  const args = operand[name];
  if (!Array.isArray(args)) throw notSupported(`${name} of anything but a list of arguments`);
  const expressions = args.map(compileExpression);
  return (doc) => reckon(...expressions.map((expression) => expression(doc)));
}
