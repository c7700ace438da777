import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';
import { audiences, Difficulty, reportReasons, scenes, subjectKinds } from '@wayquest/contracts';
import { chinese } from '../src/shared/i18n/zh/index.ts';

/** All that is said stands in a catalogue, in both languages, and all that stands there is said. */

const sources = fileURLToPath(new URL('../src', import.meta.url));
const catalogues = join(sources, 'shared/i18n/en');

const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('shared/i18n/'))
  .map((name) => ({ name, text: readFileSync(join(sources, name), 'utf8') }));

const english = new Map<string, Record<string, string>>();
for (const file of readdirSync(catalogues)) {
  const { default: sentences }: { default: Record<string, string> } = await import(join(catalogues, file));
  english.set(file.replace('.ts', ''), sentences);
}

/** Attributes whose text a person reads or hears. */
const said = new Set(
  'aria-label alt label title placeholder description tab lead confirmLabel cancelLabel submitLabel'.split(
    ' ',
  ),
);
/** Text that is the same in every language. */
const names = new Set(['Wayquest', 'GeoNames', 'OpenStreetMap', 'Leaflet', '(CC BY 4.0)']);
const isWords = (text: string) => /\p{L}{2}/u.test(text) && !names.has(text);
/** Told to developers, or to the browser. */
const unsaid = /^(console\.\w+|Error|TypeError|matchMedia|useMediaQuery)$/;
const isSentence = (text: string) => /^[“\s]*\p{Lu}.*\p{L} \p{Ll}/u.test(text) && !/[<>{}:]/.test(text);

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((node, key) => (isNode(node) ? node[key] : undefined), value);

function calleeOf(node: Node): string {
  const callee = node.callee;
  const object = at(callee, 'object', 'value');
  return String(object ? `${object}.${at(callee, 'property', 'value')}` : at(callee, 'value'));
}

/** What a person reads of some markup. */
const wordsOfMarkup = (text: string) =>
  /<\/\w+>/.test(text)
    ? text
        .split(/<[^>]*>/)
        .map((part) => part.trim())
        .filter(isWords)
    : [];

/** Texts that an expression between two tags shows, each way that it may turn out. */
function* shownBy(node: unknown): Generator<string> {
  const type = at(node, 'type');
  const value = at(node, 'value');
  if (type === 'StringLiteral' && isWords(String(value))) yield String(value);
  const operator = String(at(node, 'operator'));
  const branches: Record<string, string[]> = {
    ConditionalExpression: ['consequent', 'alternate'],
    ParenthesisExpression: ['expression'],
    BinaryExpression: operator === '&&' ? ['right'] : /^(\|\||\?\?)$/.test(operator) ? ['left', 'right'] : [],
  };
  for (const branch of branches[String(type)] ?? []) yield* shownBy(at(node, branch));
}

function* sentencesIn(node: unknown): Generator<string> {
  if (Array.isArray(node)) for (const each of node) yield* sentencesIn(each);
  if (!isNode(node) || Array.isArray(node)) return;
  const { type, value } = node;
  if (/^(Import|Export.*From|ExportAll)/.test(String(type))) return;
  if (/^(Call|New)Expression$/.test(String(type)) && unsaid.test(calleeOf(node))) return;
  if (type === 'JSXText' && isWords(String(value).trim())) yield String(value).trim();
  if (type === 'JSXAttribute' && at(value, 'type') === 'StringLiteral') {
    const text = String(at(value, 'value'));
    if (said.has(String(at(node, 'name', 'value'))) && isWords(text)) yield text;
    return;
  }
  if (type === 'JSXElement' || type === 'JSXFragment')
    for (const child of Array.isArray(node.children) ? node.children : [])
      if (at(child, 'type') === 'JSXExpressionContainer') yield* shownBy(at(child, 'expression'));
  if (type === 'StringLiteral' && isSentence(String(value))) yield String(value);
  if (type === 'StringLiteral') yield* wordsOfMarkup(String(value));
  if (type === 'TemplateLiteral' && Array.isArray(node.quasis)) {
    const text = node.quasis.map((part) => at(part, 'cooked')).join('…');
    if (isSentence(text)) yield text;
  }
  for (const [key, child] of Object.entries(node)) if (key !== 'span') yield* sentencesIn(child);
}

test('no sentence is outside the catalogues', () => {
  const found = files.flatMap(({ name, text }) => {
    const { body } = parseSync(text, { syntax: 'typescript', tsx: name.endsWith('x') });
    return [...sentencesIn(body)].map((sentence) => `${name}: ${sentence}`);
  });
  expect(found).toEqual([]);
});

/** Called in a catalogue what they are called in the contracts. */
const values = new Set<string>([
  ...Difficulty.options,
  ...audiences,
  ...scenes,
  ...reportReasons,
  ...subjectKinds,
]);

test('every sentence of a catalogue is used by a file that imports it', () => {
  const unused: string[] = [];
  for (const [name, sentences] of english) {
    const makes = new RegExp(`catalogue\\(\\s*'${name}'`);
    const owner = [...files, ...commonWords()].find(({ text }) => makes.test(text));
    const users = files.filter((file) => {
      const paths = [...file.text.matchAll(/from '(\.[^']+)'/g)].map(([, path]) =>
        join(dirname(file.name), path ?? ''),
      );
      const isBesideOwner = owner && dirname(file.name) === dirname(owner.name);
      // The worker, which speaks for itself.
      const hasEnglish = paths.includes(`shared/i18n/en/${name}.ts`);
      return isBesideOwner || hasEnglish || (owner && paths.includes(owner.name));
    });
    for (const key of Object.keys(sentences)) {
      const base = key.replace(/_(one|other)$/, '');
      if (values.has(base)) continue;
      if (!users.some(({ text }) => text.includes(`'${base}'`))) unused.push(`${name}: ${key}`);
    }
  }
  expect(unused).toEqual([]);
});

function commonWords() {
  return ['../common.ts', '../fields.ts'].map((file) => {
    const path = join(catalogues, file);
    return { name: relative(sources, path), text: readFileSync(path, 'utf8') };
  });
}

const placeholders = (sentence = '') => [...new Set(sentence.match(/\{\w+\}/g))].sort();

test('a sentence has the same placeholders in both languages', () => {
  const translated = new Map<string, Record<string, string>>(Object.entries(chinese));
  for (const [name, sentences] of english) {
    for (const [key, sentence] of Object.entries(sentences)) {
      const inChinese = translated.get(name)?.[key.replace(/_one$/, '_other')];
      expect([name, key, placeholders(inChinese)]).toEqual([name, key, placeholders(sentence)]);
      expect(inChinese?.replace(/\{\w+\}/g, '')).toMatch(/\p{Script=Han}|^\P{L}*$/u);
    }
  }
});
