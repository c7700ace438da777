import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import type { SiteLanguage } from '@wayquest/platform/settings';
import { cleanUp, open, startGateway, startUpstream, textOf, unreachableUrl } from './support.ts';

/** Every character that HTML, strings, patterns of replacements or placeholders could misread. */
const hostileName = `</title><b a="x" b='y'>Fox & Goat\`\${1}</b> $& \\ __ORIGIN__ __CSP_NONCE__`;
const inHtml =
  '&lt;/title&gt;&lt;b a=&quot;x&quot; b=&#39;y&#39;&gt;Fox &amp; Goat`${1}&lt;/b&gt; $&amp; \\ __ORIGIN__ __CSP_NONCE__';

const page = [
  '<html><head><!-- preview --><title>__SITE_NAME__</title>',
  '<meta property="og:site_name" content="__SITE_NAME__" /><!-- /preview --></head>',
  '<body><a aria-label="__SITE_NAME__, home">__SITE_NAME__</a></body></html>',
].join('');

let directory: string;
const write = async (file: string, content: string) => {
  const path = join(directory, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
};
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'wayquest-site-'));
  await write('index.html', page);
  await write('pages/en/home.html', `in English ${page}`);
  await write('pages/zh/home.html', `in Chinese ${page}`);
  await write('manifest.webmanifest', '{ "name": "__SITE_NAME__", "short_name": "__SITE_NAME__" }');
  await write('sw.js', 'names = ["__SITE_NAME__", \'__SITE_NAME__\', `__SITE_NAME__`];');
});
afterEach(async () => {
  await cleanUp();
  await rm(directory, { recursive: true });
});

interface Options {
  name?: string;
  language?: SiteLanguage;
  /** URL of all services. */
  all?: string;
}

const start = ({ name = 'Fox', language = 'en', all = unreachableUrl }: Options = {}) =>
  startGateway(all, { webDirectory: directory, site: { name, language }, timeouts: { previewMs: 10_000 } });

/** Requests a page as a browser does. */
async function read(url: string, language?: string) {
  const { request, reply } = open(url, {
    headers: { accept: 'text/html', ...(language !== undefined && { 'accept-language': language }) },
  });
  request.end();
  return textOf(await reply);
}

const tagsOf = (html: string) => html.match(/<\/?[a-z]+/g);

it('is called Wayquest unless the operator says otherwise', async () => {
  const gateway = await startGateway(unreachableUrl, { webDirectory: directory });
  expect(await read(`${gateway.url()}/home`)).toBe(`in English ${page.replaceAll('__SITE_NAME__', 'Wayquest')}`);
  const manifest = await fetch(`${gateway.url()}/manifest.webmanifest`);
  expect(await manifest.json()).toEqual({ name: 'Wayquest', short_name: 'Wayquest' });
});

it('writes the name into pages as text', async () => {
  const gateway = await start({ name: hostileName });
  const html = await read(`${gateway.url()}/home`);
  expect(html).toBe(`in English ${page.replaceAll('__SITE_NAME__', () => inHtml)}`);
  expect(tagsOf(html)).toEqual(tagsOf(page));
});

it('writes the name into previews of links as text', async () => {
  const maya = { id: 3, username: 'maya', firstName: '', lastName: '', city: '', state: '', points: 40 };
  const service = await startUpstream((_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ ...maya, avatar: 'a.svg' }));
  });
  const gateway = await start({ name: hostileName, all: service.url });
  const html = await read(`${gateway.url()}/users/3`);
  expect(html).toContain(`<title>maya · ${inHtml}</title>`);
  expect(html).toContain(`<meta property="og:site_name" content="${inHtml}">`);
  expect(html).toContain(`<meta property="og:description" content="maya has 40 points on ${inHtml}.">`);
  expect(html.match(/<b\b/g)).toBeNull();
});

it('writes the name into the manifest and the worker as text', async () => {
  const gateway = await start({ name: hostileName });
  const manifest = await fetch(`${gateway.url()}/manifest.webmanifest`);
  expect(await manifest.json()).toEqual({ name: hostileName, short_name: hostileName });
  const worker = await fetch(`${gateway.url()}/sw.js`);
  expect(runInNewContext(await worker.text(), {})).toEqual([hostileName, hostileName, hostileName]);
});

it('has browsers load the worker again once the name has changed, and not before', async () => {
  const tagOf = async (name: string) => {
    const { headers } = await fetch(`${(await start({ name })).url()}/sw.js`);
    return String(headers.get('etag'));
  };
  const [one, same, other] = [await tagOf('Fox'), await tagOf('Fox'), await tagOf('Goat')];
  expect(same).toBe(one);
  expect(other).not.toBe(one);
  const url = `${(await start({ name: 'Fox' })).url()}/sw.js`;
  const statusFor = async (tag: string) =>
    (await fetch(url, { headers: { 'if-none-match': tag } })).status;
  expect([await statusFor(one), await statusFor(other)]).toEqual([304, 200]);
});

it('writes the name into error pages as text, in the language of the reader', async () => {
  const gateway = await start({ name: hostileName });
  const url = `${gateway.url()}/api/challenges/1`;
  const english = await read(url, 'en');
  expect(english).toContain(`<h1>${inHtml} is temporarily unavailable. Please try again in a moment.</h1>`);
  expect(english).toContain(` · ${inHtml}</title>`);
  expect(await read(url, 'zh')).toContain(`<h1>${inHtml} 暂时无法使用，请稍后再试。</h1>`);
  expect(english.match(/<b\b/g)).toBeNull();
});

it.each([
  ['en', undefined, 'in English', 'Page not found.'],
  ['zh', undefined, 'in Chinese', '没有找到这个页面。'],
  ['zh', 'fr-FR,fr;q=0.9', 'in Chinese', '没有找到这个页面。'],
  ['zh', 'fr,en;q=0.5', 'in English', 'Page not found.'],
  ['en', 'fr,zh-CN;q=0.5', 'in Chinese', '没有找到这个页面。'],
] as const)(
  'in an installation in %s, a browser that asks for %s gets pages %s',
  async (language, accepted, expected, notFound) => {
    const gateway = await start({ language });
    expect(await read(`${gateway.url()}/home`, accepted)).toMatch(expected);
    expect(await read(`${gateway.url()}/api/nothing`, accepted)).toContain(`<h1>${notFound}</h1>`);
  },
);
