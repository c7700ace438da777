import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';
import { audiences, Difficulty, placeCategories, reportReasons, subjectKinds } from '@wayquest/contracts';
import { chinese } from '../src/shared/i18n/zh/index.ts';

/** All texts of the interface are in a catalogue, in both languages, and all texts of the catalogues are used. */

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

/** Attributes whose text is shown or read aloud. */
const textAttributes = new Set(
  'aria-label alt label title placeholder description tab lead confirmLabel cancelLabel submitLabel'.split(
    ' ',
  ),
);
/** Text that is the same in every language. */
const properNames = new Set(['Wayquest', 'GeoNames', 'OpenStreetMap', 'Leaflet', '(CC BY 4.0)']);
const isText = (text: string) => /\p{L}{2}/u.test(text) && !properNames.has(text);
/** Functions whose texts are for developers or for the browser. */
const internalCallees = /^(console\.\w+|Error|TypeError|matchMedia|useMediaQuery)$/;
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

/** Returns the texts of markup. */
const textsOfMarkup = (text: string) =>
  /<\/\w+>/.test(text)
    ? text
        .split(/<[^>]*>/)
        .map((part) => part.trim())
        .filter(isText)
    : [];

/** Yields the texts that an expression between two tags may show, in all its branches. */
function* textsShownBy(node: unknown): Generator<string> {
  const type = at(node, 'type');
  const value = at(node, 'value');
  if (type === 'StringLiteral' && isText(String(value))) yield String(value);
  const operator = String(at(node, 'operator'));
  const branches: Record<string, string[]> = {
    ConditionalExpression: ['consequent', 'alternate'],
    ParenthesisExpression: ['expression'],
    BinaryExpression: operator === '&&' ? ['right'] : /^(\|\||\?\?)$/.test(operator) ? ['left', 'right'] : [],
  };
  for (const branch of branches[String(type)] ?? []) yield* textsShownBy(at(node, branch));
}

function* sentencesIn(node: unknown): Generator<string> {
  if (Array.isArray(node)) for (const each of node) yield* sentencesIn(each);
  if (!isNode(node) || Array.isArray(node)) return;
  const { type, value } = node;
  if (/^(Import|Export.*From|ExportAll)/.test(String(type))) return;
  if (/^(Call|New)Expression$/.test(String(type)) && internalCallees.test(calleeOf(node))) return;
  if (type === 'JSXText' && isText(String(value).trim())) yield String(value).trim();
  if (type === 'JSXAttribute' && at(value, 'type') === 'StringLiteral') {
    const text = String(at(value, 'value'));
    if (textAttributes.has(String(at(node, 'name', 'value'))) && isText(text)) yield text;
    return;
  }
  if (type === 'JSXElement' || type === 'JSXFragment')
    for (const child of Array.isArray(node.children) ? node.children : [])
      if (at(child, 'type') === 'JSXExpressionContainer') yield* textsShownBy(at(child, 'expression'));
  if (type === 'StringLiteral' && isSentence(String(value))) yield String(value);
  if (type === 'StringLiteral') yield* textsOfMarkup(String(value));
  if (type === 'TemplateLiteral' && Array.isArray(node.quasis)) {
    const text = node.quasis.map((part) => at(part, 'cooked')).join('…');
    if (isSentence(text)) yield text;
  }
  for (const [key, child] of Object.entries(node)) if (key !== 'span') yield* sentencesIn(child);
}

test('no text of the interface is outside the catalogues', () => {
  const found = files.flatMap(({ name, text }) => {
    const { body } = parseSync(text, { syntax: 'typescript', tsx: name.endsWith('x') });
    return [...sentencesIn(body)].map((sentence) => `${name}: ${sentence}`);
  });
  expect(found).toEqual([]);
});

/** Values of the contracts, which are also keys of catalogues. */
const contractValues = new Set<string>([
  ...Difficulty.options,
  ...audiences,
  ...placeCategories,
  ...reportReasons,
  ...subjectKinds,
]);

test('every text of a catalogue is used by a file that imports it', () => {
  const unused: string[] = [];
  for (const [name, sentences] of english) {
    const definition = new RegExp(`catalogue\\(\\s*'${name}'`);
    const owner = [...files, ...commonCatalogues()].find(({ text }) => definition.test(text));
    const users = files.filter((file) => {
      const paths = [...file.text.matchAll(/from '(\.[^']+)'/g)].map(([, path]) =>
        join(dirname(file.name), path ?? ''),
      );
      const isBesideOwner = owner && dirname(file.name) === dirname(owner.name);
      // The worker imports the English catalogue directly.
      const hasEnglish = paths.includes(`shared/i18n/en/${name}.ts`);
      return isBesideOwner || hasEnglish || (owner && paths.includes(owner.name));
    });
    for (const key of Object.keys(sentences)) {
      const base = key.replace(/_(one|other)$/, '');
      if (contractValues.has(base)) continue;
      if (!users.some(({ text }) => text.includes(`'${base}'`))) unused.push(`${name}: ${key}`);
    }
  }
  expect(unused).toEqual([]);
});

function commonCatalogues() {
  return ['../common.ts', '../fields.ts'].map((file) => {
    const path = join(catalogues, file);
    return { name: relative(sources, path), text: readFileSync(path, 'utf8') };
  });
}

test('Chinese sentences have a space beside numbers, Latin words and placeholders, and none beside punctuation (53)', () => {
  const wrong =
    / {2}|\p{Script=Han}[\w{]|[\w}]\p{Script=Han}|\p{Script=Han} \p{Script=Han}|[\u3000-\u303f\uff00-\uffef] | [\u3000-\u303f\uff00-\uffef]/u;
  const found = Object.values(chinese).flatMap((sentences) =>
    Object.values(sentences).filter((sentence) => wrong.test(sentence)),
  );
  expect(found).toEqual([]);
  const double = [...english.values()].flatMap((sentences) =>
    Object.values(sentences).filter((sentence) => / {2}/.test(sentence)),
  );
  expect(double).toEqual([]);
});

/** The name of the installation is always known, and a sentence may do without it. */
const placeholders = (sentence = '') => [...new Set(sentence.match(/\{(?!site\})\w+\}/g))].sort();

test('each text has a Chinese translation with the same placeholders', () => {
  const translated = new Map<string, Record<string, string>>(Object.entries(chinese));
  for (const [name, sentences] of english) {
    for (const [key, sentence] of Object.entries(sentences)) {
      const inChinese = translated.get(name)?.[key.replace(/_one$/, '_other')];
      expect([name, key, placeholders(inChinese)]).toEqual([name, key, placeholders(sentence)]);
      expect(inChinese?.replace(/\{\w+\}/g, '')).toMatch(/\p{Script=Han}|^\P{L}*$/u);
    }
  }
});

test('texts call the installation {site}, as its operator does; only two name the software', () => {
  const naming = [...english, ...Object.entries(chinese)].flatMap(([name, sentences]) =>
    Object.entries(sentences).flatMap(([key, sentence]) =>
      sentence.includes('Wayquest') ? [`${name}: ${key}`] : [],
    ),
  );
  expect(new Set(naming)).toEqual(new Set(['layout: credits', 'libraries: lead']));
});
