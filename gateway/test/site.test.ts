import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import type { SiteLanguage } from '@wayquest/contracts';
import { SettingsError } from '@wayquest/platform/settings';
import { shadesOf } from '../src/accent.ts';
import { cleanUp, open, startGateway, startUpstream, textOf, unreachableUrl } from './support.ts';

/** Every character that HTML, strings, patterns of replacements or placeholders could misread. */
const hostileName = `</title><b a="x" b='y'>Fox & Goat\`</b> $& \\ __ORIGIN__ __CSP_NONCE__`;
const inHtml =
  '&lt;/title&gt;&lt;b a=&quot;x&quot; b=&#39;y&#39;&gt;Fox &amp; Goat`&lt;/b&gt; $&amp; \\ __ORIGIN__ __CSP_NONCE__';

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
  expect(await read(`${gateway.url()}/home`)).toBe(
    `in English ${page.replaceAll('__SITE_NAME__', 'Wayquest')}`,
  );
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
  const statusFor = async (tag: string) => (await fetch(url, { headers: { 'if-none-match': tag } })).status;
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

/** A PNG of which nobody looks at more than the header. */
function pngOf(width: number, height = width): Buffer {
  const png = Buffer.alloc(100);
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]).copy(png);
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return png;
}

describe('the operator’s color', () => {
  const html = '<html><head><!-- color --></head></html>';
  const startIn = (siteColor?: string) =>
    startGateway(unreachableUrl, { webDirectory: directory, siteColor });

  it('is in every page, under its policy, and in error pages', async () => {
    await write('pages/en/home.html', html);
    const gateway = await startIn('#1d7a4f');
    const { request, reply } = open(`${gateway.url()}/home`, { headers: { accept: 'text/html' } });
    request.end();
    const response = await reply;
    const [, nonce, rules = ''] = /<style nonce="([^"]+)">([^<]*)</.exec(await textOf(response)) ?? [];
    expect(response.headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
    for (const [index, shade] of shadesOf('#1d7a4f').entries())
      expect(rules).toContain(`--mantine-color-purple-${index}:${shade}`);
    const error = await read(`${gateway.url()}/api/nothing`);
    expect(error).toContain(`light-dark(${shadesOf('#1d7a4f')[6]}, ${shadesOf('#1d7a4f')[3]})`);
  });

  it('leaves no trace if there is none', async () => {
    await write('pages/en/home.html', html);
    const gateway = await startIn();
    expect(await read(`${gateway.url()}/home`)).toBe('<html><head></head></html>');
    expect(await read(`${gateway.url()}/api/nothing`)).toContain('light-dark(#7f65a8, #c3aee0)');
  });
});

describe('the operator’s logo', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wayquest-logo-'));
    await write(
      'pages/en/home.html',
      '<link rel="icon" href="/favicon.svg" type="image/svg+xml" /><!-- logo --><svg data-logo="true" width="32" height="32"><path/></svg>',
    );
    const ours = { src: '/icons/icon-192.png', sizes: '192x192' };
    await write(
      'manifest.webmanifest',
      JSON.stringify({
        name: '__SITE_NAME__',
        icons: [ours, ours],
        shortcuts: [{ name: 'Explore', icons: [ours] }],
      }),
    );
    await write('icons/icon-192.png', 'ours');
    await write('sw.js', 'logo = "__SITE_LOGO__"');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const put = (file: string, content: string | Buffer) => writeFile(join(folder, file), content);
  const startWithLogo = () => startGateway(unreachableUrl, { webDirectory: directory, siteFolder: folder });
  const get = async (url: string) => {
    const { request, reply } = open(url);
    request.end();
    const response = await reply;
    return { status: response.statusCode, headers: response.headers, text: await textOf(response) };
  };

  it('is in pages, as the icon of the installed app, and where the web app has its own', async () => {
    const png = pngOf(512);
    await put('logo.png', png);
    const { url } = await startWithLogo();
    expect(await read(`${url()}/home`)).toBe(
      '<link rel="icon" href="/site/logo.png" type="image/png" /><meta name="logo" content="/site/logo.png" /><img src="/site/logo.png" width="32" height="32" alt="">',
    );
    const icons = [{ src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' }];
    expect(JSON.parse((await get(`${url()}/manifest.webmanifest`)).text)).toEqual({
      ...{ name: 'Wayquest', icons },
      shortcuts: [{ name: 'Explore', icons }],
    });
    expect((await get(`${url()}/sw.js`)).text).toBe('logo = "\\u002fsite\\u002flogo\\u002epng"');
    for (const path of [
      '/site/logo.png',
      '/icons/icon-192.png',
      '/icons/apple-touch-icon.png',
      '/favicon.ico',
    ]) {
      const { status, headers, text } = await get(url() + path);
      expect([path, status, headers['content-type'], text]).toEqual([path, 200, 'image/png', png.toString()]);
    }
    const { status } = await get(`${url()}/site/logo.svg`);
    expect(status).toBe(404);
  });

  it('as a drawing runs no script, also as a page of its own', async () => {
    await put('logo.png', pngOf(192));
    const drawing =
      '<?xml version="1.0"?>\n<!-- ours -->\n<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    await put('logo.svg', drawing);
    const { url } = await startWithLogo();
    const { headers, text } = await get(`${url()}/site/logo.svg`);
    expect(text).toBe(drawing);
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    expect(await read(`${url()}/home`)).toContain('<img src="/site/logo.svg" width="32" height="32" alt="">');
  });

  it('is a drawing as programs export it, with a document type', async () => {
    await put('logo.png', pngOf(192));
    const drawing =
      '<?xml version="1.0" encoding="utf-8"?>\n<!-- Generator: any -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n<svg xmlns="http://www.w3.org/2000/svg"/>';
    await put('logo.svg', drawing);
    const { url } = await startWithLogo();
    expect((await get(`${url()}/site/logo.svg`)).text).toBe(drawing);
  });

  it('leaves everything as it is if there is none', async () => {
    const { url } = await startWithLogo();
    expect(await read(`${url()}/home`)).toBe(
      '<link rel="icon" href="/favicon.svg" type="image/svg+xml" /><svg data-logo="true" width="32" height="32"><path/></svg>',
    );
    expect((await get(`${url()}/icons/icon-192.png`)).text).toBe('ours');
    expect((await get(`${url()}/sw.js`)).text).toBe('logo = ""');
    expect(JSON.parse((await get(`${url()}/manifest.webmanifest`)).text).icons).toHaveLength(2);
  });

  it.each<[files: Record<string, string | Buffer>, reason: string]>([
    [{ 'logo.svg': '<svg/>' }, 'logo.svg needs a logo.png beside it, for home screens and notifications'],
    [{ 'logo.png': 'GIF89a' }, 'logo.png is no PNG'],
    [{ 'logo.png': pngOf(512, 256) }, 'logo.png has 512 × 256 pixels; it must be a square of 192 to 1024'],
    [{ 'logo.png': pngOf(64) }, 'logo.png has 64 × 64 pixels'],
    [{ 'logo.png': pngOf(2_048) }, 'logo.png has 2048 × 2048 pixels'],
    [{ 'logo.png': Buffer.concat([pngOf(512), Buffer.alloc(500_000)]) }, 'logo.png has more than 500 kB'],
    [
      { 'logo.png': pngOf(512), 'logo.svg': '<html><svg/></html>' },
      'logo.svg is no SVG: it must begin with <svg',
    ],
    [
      { 'logo.png': pngOf(512), 'logo.svg': `<svg>${' '.repeat(100_000)}</svg>` },
      'logo.svg has more than 100 kB',
    ],
    [
      { 'logo.png': pngOf(512), 'logo.jpg': 'x' },
      'logo.jpg is no logo, which is logo.png, with or without a logo.svg',
    ],
  ])('is checked at the start (%#)', async (files, reason) => {
    for (const [file, content] of Object.entries(files)) await put(file, content);
    await expect(startWithLogo()).rejects.toThrow(`SITE_FOLDER: ${reason}`);
  });
});

describe('the operator’s own pages', () => {
  let folder: string;
  const writePage = (file: string, content: string | Buffer) => writeFile(join(folder, file), content);
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wayquest-pages-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const startWithPages = (language: SiteLanguage = 'en') =>
    startGateway(unreachableUrl, {
      webDirectory: directory,
      site: { name: 'Fox', language },
      siteFolder: folder,
    });

  const get = async (url: string) => {
    const { request, reply } = open(url);
    request.end();
    const response = await reply;
    return { status: response.statusCode, body: JSON.parse(await textOf(response)) };
  };

  it('are headings, paragraphs with lines, lists and links', async () => {
    const text = [
      '# Our *rules*',
      '',
      'Go outside.',
      '12345 Oakfield',
      '## On the way',
      '- Say hello',
      '  to everybody',
      '',
      '- Ask [us](mailto:us@club.example), [the club](https://club.example/a?b=c#d) or [a person](/users/3)',
      '1. One',
      '2) Two',
      '',
      '#### Last',
      'End',
    ];
    await writePage('rules.en.md', text.join('\r\n'));
    const { url } = await startWithPages();
    expect(await get(`${url()}/api/pages/rules`)).toEqual({
      status: 200,
      body: {
        title: 'Our *rules*',
        language: 'en',
        blocks: [
          { kind: 'paragraph', text: ['Go outside.\n12345 Oakfield'] },
          { kind: 'heading', level: 2, text: ['On the way'] },
          {
            kind: 'list',
            ordered: false,
            items: [
              ['Say hello\nto everybody'],
              [
                'Ask ',
                { text: 'us', href: 'mailto:us@club.example' },
                ', ',
                { text: 'the club', href: 'https://club.example/a?b=c#d' },
                ' or ',
                { text: 'a person', href: '/users/3' },
              ],
            ],
          },
          { kind: 'list', ordered: true, start: 1, items: [['One'], ['Two']] },
          { kind: 'heading', level: 3, text: ['Last'] },
          { kind: 'paragraph', text: ['End'] },
        ],
      },
    });
  });

  it('keep the numbers of lists, and dates', async () => {
    const text = [
      ...['# Rules', '1. Be kind', '', 'Always.', '', '2. No ads', '3. No trash', ''],
      ...['In force since', '15. August 2026', '', '15. August 2026'],
    ];
    await writePage('rules.en.md', text.join('\n'));
    const { url } = await startWithPages();
    expect((await get(`${url()}/api/pages/rules`)).body.blocks).toEqual([
      { kind: 'list', ordered: true, start: 1, items: [['Be kind']] },
      { kind: 'paragraph', text: ['Always.'] },
      { kind: 'list', ordered: true, start: 2, items: [['No ads'], ['No trash']] },
      { kind: 'paragraph', text: ['In force since\n15. August 2026'] },
      { kind: 'list', ordered: true, start: 15, items: [['August 2026']] },
    ]);
  });

  it('are text as far as they are HTML, or link to anything but addresses', async () => {
    const lines = [
      '<script>alert(1)</script>',
      '[a](javascript:alert(1))',
      '[b](JavaScript:x)',
      '[c](data:text/html,x)',
      '[d](//evil.example)',
      '[e](/\\\\evil.example)',
      '[f](https://)',
    ];
    await writePage('rules.en.md', `<b>Rules</b>\n\n${lines.join('\n')}`);
    const { url } = await startWithPages();
    const { body } = await get(`${url()}/api/pages/rules`);
    expect(body).toEqual({
      title: '<b>Rules</b>',
      language: 'en',
      blocks: [{ kind: 'paragraph', text: [lines.join('\n')] }],
    });
  });

  it('are in the language that is asked for, in that of the installation, or in the only one that there is', async () => {
    await writePage('rules.en.md', 'Rules');
    await writePage('rules.zh.md', '\ufeff守则\n\n到户外去。');
    await writePage('contact.zh.md', '# 联系');
    const { url } = await startWithPages('zh');
    const titleAt = async (path: string) => (await get(`${url()}/api/pages/${path}`)).body.title;
    expect(await titleAt('rules?language=en')).toBe('Rules');
    expect(await titleAt('rules?language=zh')).toBe('守则');
    expect(await titleAt('rules')).toBe('守则');
    expect(await get(`${url()}/api/pages/contact?language=en`)).toEqual({
      status: 200,
      body: { title: '联系', language: 'zh', blocks: [] },
    });
  });

  it.each([
    ['imprint', 404, 'not-found'],
    ['secret', 400, 'invalid-request'],
    ['rules.en.md', 400, 'invalid-request'],
    ['rules?language=de', 400, 'invalid-request'],
    ['..%2fsecret', 400, 'invalid-request'],
    ['%2e%2e%2f%2e%2e%2fetc%2fpasswd', 400, 'invalid-request'],
    ['../secret', 400, 'invalid-request'],
    ['rules%00', 400, 'invalid-request'],
  ])('are no other files: %s', async (path, status, code) => {
    await writePage('rules.en.md', 'Rules');
    await writePage('secret', 'a secret');
    const { url } = await startWithPages();
    const { request, reply } = open(url(), { path: `/api/pages/${path}` });
    request.end();
    const response = await reply;
    const body = await textOf(response);
    expect([response.statusCode, JSON.parse(body).code]).toEqual([status, code]);
    expect(body).not.toContain('a secret');
  });

  it('are linked in every page where they exist, and described for readers without scripts', async () => {
    const foot = '<!-- pages --></head><footer>__SITE_PAGES__</footer>';
    await write('pages/en/home.html', `in English ${page}${foot}`);
    await write('pages/zh/home.html', `in Chinese ${page}${foot}`);
    await writePage('rules.en.md', '# "Rules" & <b>');
    await writePage('rules.zh.md', '# 守则');
    await writePage('contact.zh.md', '# 联系\n\n请写信给[俱乐部](mailto:us@club.example)\n或者打电话。');
    const { url } = await startWithPages();
    const english = await read(`${url()}/home`, 'en');
    expect(english).toContain(
      '<footer><a href="/rules" lang="en">&quot;Rules&quot; &amp; &lt;b&gt;</a><a href="/contact" lang="zh-Hans">联系</a></footer>',
    );
    const [, meta = ''] = /<meta name="pages" content="([^"]*)" \/>/.exec(english) ?? [];
    const contact = { name: 'contact', title: '联系', lang: 'zh-Hans' };
    expect(
      JSON.parse(
        meta
          .replaceAll('&quot;', '"')
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&amp;', '&'),
      ),
    ).toEqual({
      en: [{ name: 'rules', title: '"Rules" & <b>', lang: 'en' }, contact],
      zh: [{ name: 'rules', title: '守则', lang: 'zh-Hans' }, contact],
    });
    expect(await read(`${url()}/home`, 'zh')).toContain('<footer><a href="/rules" lang="zh-Hans">守则</a>');
    const described = await read(`${url()}/Contact/`, 'en');
    expect(described).toContain('<title>联系 · Fox</title>');
    expect(described).toContain('<meta name="description" content="请写信给俱乐部 或者打电话。">');
  });

  it('leave no trace in pages if there are none', async () => {
    await write(
      'pages/en/home.html',
      `${page}<!-- pages --><!-- logo --><!-- color --></head><footer>__SITE_PAGES__</footer>`,
    );
    const expected = `${page.replaceAll('__SITE_NAME__', 'Fox')}</head><footer></footer>`;
    expect(await read(`${(await startWithPages()).url()}/home`)).toBe(expected);
    expect(await read(`${(await start()).url()}/home`)).toBe(expected);
  });

  it.each([
    [
      'impressum.de.md',
      'x',
      'impressum.de.md is none of its pages, which are rules, privacy, imprint, contact, each as <page>.en.md, <page>.zh.md or both',
    ],
    ['imprint.txt', 'x', 'imprint.txt is none of its pages'],
    ['imprint.en.md', ' \n', 'imprint.en.md has no title, which is its first line'],
    ['imprint.en.md', '# ', 'imprint.en.md has no title, which is its first line'],
    ['imprint.en.md', Buffer.from([0x23, 0x20, 0xff]), 'imprint.en.md is not a text in UTF-8'],
    ['imprint.en.md', 'x'.repeat(200_001), 'imprint.en.md has more than 200 kB'],
  ])('are checked at the start: %s', async (file, content, reason) => {
    await writePage(file, content);
    const starting = startWithPages();
    await expect(starting).rejects.toThrow(SettingsError);
    await expect(starting).rejects.toThrow(`SITE_FOLDER: ${reason}`);
  });

  it('must be readable', async () => {
    await mkdir(join(folder, 'rules.en.md'));
    await expect(startWithPages()).rejects.toThrow('SITE_FOLDER: rules.en.md cannot be read (EISDIR)');
  });

  it('may be beside other files, as of Kubernetes', async () => {
    await mkdir(join(folder, '..data'));
    await writePage('.notes.md', 'x');
    await writePage('notes.pdf', 'x');
    await writePage('rules.en.md', 'Rules');
    const { url } = await startWithPages();
    expect((await get(`${url()}/api/pages/rules`)).status).toBe(200);
  });

  it('cannot be in a folder that does not exist', async () => {
    await expect(startGateway(unreachableUrl, { siteFolder: '/nowhere' })).rejects.toThrow(
      'SITE_FOLDER: names /nowhere, which cannot be read (ENOENT)',
    );
  });
});
