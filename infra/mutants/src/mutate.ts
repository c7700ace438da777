import { parse } from '@babel/parser';
import type * as t from '@babel/types';

/** A mutant: a small change of a file. */
export interface Mutant {
  id: number;
  file: string;
  line: number;
  /** The whole line. */
  code: string;
  from: string;
  to: string;
  /** How many mutants of this line before it make the same change elsewhere in the line. */
  nth: number;
}

const otherOperators: Record<string, string[]> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&&': ['||'],
  '||': ['&&'],
};

/** The cause of an error is not shown to anybody. */
const isForLogs = ({ key }: t.ObjectProperty) => key.type === 'Identifier' && key.name === 'cause';

/** A call of a logger: what operators read changes no behavior. */
const isLogging = (node: t.Node): boolean =>
  node.type === 'CallExpression' &&
  node.callee.type === 'MemberExpression' &&
  node.callee.object.type === 'Identifier' &&
  node.callee.object.name === 'logger';

/** Calls that are removed from a chain. */
const removableCalls = new Set([
  'sort',
  'limit',
  'skip',
  'filter',
  'slice',
  'reverse',
  'trim',
  'toLowerCase',
]);

const isNode = (value: unknown): value is t.Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value;

const isFunction = ({ type }: t.Node) =>
  [
    'ArrowFunctionExpression',
    'FunctionDeclaration',
    'FunctionExpression',
    'ObjectMethod',
    'ClassMethod',
  ].includes(type);

const isText = ({ type }: t.Node) => type === 'StringLiteral' || type === 'TemplateLiteral';

/** Types are removed before anything runs, and what an assertion is about stays. */
const isType = ({ type }: t.Node) =>
  type.startsWith('TS') && !['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'].includes(type);

const partsOf = (node: t.Node): t.Node[] =>
  Object.entries(node)
    .filter(([key]) => !key.endsWith('Comments'))
    .flatMap(([, value]) => value as unknown)
    .filter(isNode)
    .filter((part) => !isType(part) && !part.type.startsWith('Import'))
    .sort((a, b) => (a.start ?? 0) - (b.start ?? 0));

/**
 * Writes all mutants of a file at once, each behind a switch: `mutant(7)` returns whether it is active. So the file is
 * loaded once for all of them.
 */
export function mutate(file: string, source: string, firstId: number): { code: string; mutants: Mutant[] } {
  const mutants: Mutant[] = [];
  const lines = source.split('\n');
  const text = ({ start, end }: t.Node) => source.slice(start ?? 0, end ?? 0);

  /** Mutations of an expression. */
  const mutationsOf = (node: t.Node, parent: t.Node | undefined): string[] => {
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression': {
        const [left, right] = [text(node.left), text(node.right)];
        if (node.operator === '??') return [left];
        if (node.operator === '+' && (isText(node.left) || isText(node.right))) return [];
        return (otherOperators[node.operator] ?? []).map((other) => `(${left}) ${other} (${right})`);
      }
      case 'UnaryExpression':
        return node.operator === '!' || node.operator === '-' ? [text(node.argument)] : [];
      case 'BooleanLiteral':
        return [String(!node.value)];
      case 'StringLiteral':
        return isCompared(node, parent) ? [node.value === '' ? "'other'" : "''"] : [];
      case 'NumericLiteral':
        // In a store's documents 1 only means yes.
        if (node.value === 1 && parent?.type === 'ObjectProperty') return [];
        return isCompared(node, parent) ? [String(node.value + 1)] : [];
      case 'CallExpression': {
        const { callee } = node;
        if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return [];
        const { name } = callee.property;
        if (removableCalls.has(name)) return [text(callee.object)];
        if (text(callee.object) !== 'Math' || (name !== 'max' && name !== 'min')) return [];
        return [text(node).replace(name, name === 'max' ? 'min' : 'max')];
      }
      default:
        return [];
    }
  };

  const isTest = (node: t.Node, parent: t.Node | undefined) =>
    (parent?.type === 'IfStatement' || parent?.type === 'ConditionalExpression') && node === parent.test;

  /** Values of conditions: of comparisons and, in queries, of properties. */
  const isCompared = (node: t.Node, parent: t.Node | undefined) =>
    parent?.type === 'BinaryExpression' || (parent?.type === 'ObjectProperty' && node === parent.value);

  const add = (node: t.Node, to: string): number => {
    const id = firstId + mutants.length;
    const line = node.loc?.start.line ?? 0;
    const from = text(node);
    const nth = mutants.filter(
      (other) => other.line === line && other.from === from && other.to === to,
    ).length;
    mutants.push({ id, file, line, code: lines[line - 1] ?? '', from, to, nth });
    return id;
  };

  /** Nesting depth of functions. Code outside functions runs when the file is loaded, before any switch is on. */
  let depth = 0;

  const render = (node: t.Node, parent?: t.Node): string => {
    if (isLogging(node)) return text(node);
    let at = node.start ?? 0;
    let code = '';
    if (isFunction(node)) depth += 1;
    for (const part of partsOf(node)) {
      // The key and the value of a shorthand are at the same position, and names of properties are no values.
      const isName = 'computed' in node && !node.computed && 'key' in node && part === node.key;
      if ((part.start ?? 0) < at || isName) continue;
      code += source.slice(at, part.start ?? 0) + render(part, node);
      at = part.end ?? 0;
    }
    if (isFunction(node)) depth -= 1;
    code += source.slice(at, node.end ?? 0);
    return depth ? wrap(node, code, parent) : code;
  };

  const wrap = (node: t.Node, code: string, parent: t.Node | undefined): string => {
    if (node.type === 'ObjectProperty' && parent?.type === 'ObjectExpression')
      return isFunction(node.value) || isForLogs(node)
        ? code
        : `...(mutant(${add(node, '')}) ? {} : { ${code} })`;
    if (node.type === 'SpreadElement' && parent?.type === 'ObjectExpression')
      return `...(mutant(${add(node, '')}) ? {} : { ${code} })`;
    if (node.type === 'ThrowStatement' || (node.type === 'ExpressionStatement' && doesSomething(node)))
      // In braces, since an `else` may follow.
      return `{ if (!mutant(${add(node, '')})) { ${code} } }`;
    const mutations = mutationsOf(node, parent);
    if (isTest(node, parent) && !mutations.length) mutations.push('true', 'false');
    const both = mutations.map((to) => `mutant(${add(node, to)}) ? (${to}) : `);
    return both.length ? `(${both.join('')}(${code}))` : code;
  };

  const doesSomething = ({ expression }: t.ExpressionStatement) =>
    !isLogging(expression) && !(expression.type === 'CallExpression' && expression.callee.type === 'Super');

  const { program } = parse(source, { sourceType: 'module', plugins: ['typescript'] });
  return { code: render(program), mutants };
}
