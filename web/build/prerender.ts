import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type PlaceCategory, placeCategories } from '@wayquest/contracts';
import sharp from 'sharp';
import { build, type Manifest, type Plugin } from 'vite';
import type { PrerenderOptions } from '../src/prerender.tsx';
import { afterBuild } from './after-build.ts';
import { chunksOf } from './worker.ts';

/** The size that link previews show without cropping (Open Graph; 1.91 to 1). */
const size = 'width="1200" height="630"';

/** Returns the color variables that a style sheet sets for a picture with these attributes, by name. */
function colorsOf(css: string, picture: string): Map<string, string> {
  const colors = new Map<string, string>();
  for (const [, tests = '', declarations = ''] of css.matchAll(/^\.picture((?:\[[^\]]+\])*) \{([^}]*)\}/gm)) {
    const applies = [...tests.matchAll(/\[([^\]]+)\]/g)].every(([, test = '']) => picture.includes(test));
    if (!applies) continue;
    for (const [, name = '', color = ''] of declarations.matchAll(/(--[\w-]+): ([^;]+);/g))
      colors.set(name, color);
  }
  return colors;
}

/** Writes a JPEG of each place category into `images/place-categories/`, since link previews do not support SVG. */
async function writePreviewPictures(
  renderPlacePicture: (placeCategory: PlaceCategory) => string,
  { root, dist }: { root: string; dist: string },
): Promise<void> {
  const sheet = join(root, 'src/entities/challenges/pictures/PlacePicture.module.css');
  const css = await readFile(sheet, 'utf8');
  const directory = join(dist, 'images/place-categories');
  await mkdir(directory, { recursive: true });
  await Promise.all(
    placeCategories.map(async (placeCategory) => {
      const picture = renderPlacePicture(placeCategory);
      const colors = colorsOf(css, picture);
      const svg = picture
        .replace('<svg', `<svg xmlns="http://www.w3.org/2000/svg" ${size}`)
        .replace(/viewBox="[^"]*"/, 'viewBox="-30 0 381 200"')
        .replace(/var\((--[\w-]+)\)/g, (_, name: string) => {
          const color = colors.get(name);
          if (!color) throw new Error(`${sheet} sets no ${name} for the picture of ${placeCategory}`);
          return color;
        });
      await sharp(Buffer.from(svg))
        .jpeg({ quality: 82, mozjpeg: true })
        .toFile(join(directory, `${placeCategory}.jpg`));
    }),
  );
}

type PrerenderModule = typeof import('../src/prerender.tsx');

/** The entry that every page with sagas also loads. */
const pageSagas = 'src/app/page-sagas.ts';
/** The source of all pages that the operator writes. */
const sitePage = 'src/features/site/routes/SitePage.tsx';
/** Sources of the pages that are rendered for a visitor. Each is written to `pages/<language><path>.html`, with `_` for an id. */
const pages: Record<string, string[]> = {
  '/home': ['src/features/home/routes/Home.tsx'],
  '/explore': ['src/features/explore/routes/Explore.tsx', pageSagas],
  '/challenges': ['src/app/pages/ChallengesPage.tsx', pageSagas],
  '/challenges/_': ['src/features/challenges/routes/ChallengeDetail.tsx', pageSagas],
  '/leaderboard': ['src/features/leaderboard/routes/Leaderboard.tsx', pageSagas],
  '/libraries': ['src/features/libraries/routes/Libraries.tsx'],
  '/rules': [sitePage],
  '/privacy': [sitePage],
  '/imprint': [sitePage],
  '/contact': [sitePage],
  '/login': ['src/features/auth/routes/Login.tsx'],
  '/signup': ['src/features/auth/routes/Signup.tsx'],
  '/forgot': ['src/features/auth/routes/Forgot.tsx'],
  '/reset': ['src/features/auth/routes/Reset.tsx'],
  '/confirm-email': ['src/features/auth/routes/ConfirmEmail.tsx'],
};

/** Sources of the pages for members: rendered as placeholders, which preload the code of the page. */
const memberPages: Record<string, string[]> = {
  '/profile': ['src/app/pages/ProfilePage.tsx', pageSagas],
  '/settings': ['src/app/pages/SettingsPage.tsx', pageSagas],
  '/users': ['src/features/users/routes/FindUsers.tsx', pageSagas],
  '/users/_': ['src/app/pages/PublicProfilePage.tsx', pageSagas],
  '/friends': ['src/features/friends/routes/Friends.tsx'],
  '/friendsinvitation': ['src/features/friends/routes/FriendRequests.tsx'],
  '/pendingfriendrequests': ['src/features/friends/routes/FriendRequests.tsx'],
  '/messenger': ['src/features/messenger/routes/Messenger.tsx'],
  '/messenger/_': ['src/features/messenger/routes/Messenger.tsx'],
  '/notifications': ['src/features/notifications/routes/Notifications.tsx'],
  '/challenges/_/edit': ['src/features/challenges/routes/EditChallenge.tsx', pageSagas],
};
/** The entry that every member also loads. */
const memberSagas = 'src/app/member-sagas.ts';

/** Replaces style attributes, which the content security policy blocks, by rules for an element with the response's nonce. */
function withoutStyleAttributes(html: string): { html: string; css: string } {
  const rules = new Map<string, number>();
  const replaced = html.replace(/(<[^>]*?) style="([^"]*)"/g, (_, before: string, style: string) => {
    const index = rules.get(style) ?? rules.size;
    rules.set(style, index);
    return `${before} data-style="${index}"`;
  });
  const unescaped = (style: string) =>
    style
      .replaceAll('&quot;', '"')
      .replaceAll('&#x27;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&amp;', '&');
  const css = [...rules].map(([style, index]) => `[data-style="${index}"]{${unescaped(style)}}`).join('');
  return { html: replaced, css };
}

/**
 * Renders pages into the HTML file of the build, so that they are visible before any script is loaded: public pages as a
 * visitor sees them, all others as a placeholder.
 */
export function prerender(): Plugin {
  return afterBuild('wayquest:prerender', async () => {
    const root = join(import.meta.dirname, '..');
    const dist = join(root, 'dist');
    const ssrDirectory = join(root, 'node_modules/.prerender');
    await build({
      root,
      logLevel: 'error',
      build: { ssr: 'src/prerender.tsx', outDir: ssrDirectory, emptyOutDir: true, manifest: false },
      // From the sources, as the app itself, so that nothing has to be compiled before.
      ssr: { resolve: { conditions: ['@wayquest/source', 'module', 'node', 'development|production'] } },
    });
    const { prerenderPage, renderPlacePicture, languages, languageTags }: PrerenderModule = await import(
      pathToFileURL(join(ssrDirectory, 'prerender.js')).href
    );
    const manifest: Manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8'));
    const template = await readFile(join(dist, 'index.html'), 'utf8');
    const shared = chunksOf(manifest, 'index.html');

    const write = async (name: string, options: PrerenderOptions, sources: string[] = []) => {
      const all = new Set(sources.flatMap((source) => [...chunksOf(manifest, source)]));
      const own = [...all].filter((key) => !shared.has(key));
      const preloads = own.map((key) => {
        const chunk = manifest[key];
        if (!chunk) throw new Error(`${key} is not in the build's manifest`);
        return `<link rel="modulepreload" crossorigin href="/${chunk.file}">`;
      });
      const sheets = [...shared, ...own].flatMap((key) => manifest[key]?.css ?? []);
      // Their rules are inline. Listed, so that no chunk loads them again, after rules that override them.
      const disabledSheets = sheets.map((css) => `<link rel="stylesheet" disabled href="/${css}">`);
      const styles = await Promise.all(sheets.map((css) => readFile(join(dist, css), 'utf8')));
      const inert = (await prerenderPage(options))
        .replace(/<title>.*?<\/title>/, '')
        // Input before hydration would be lost, or submitted by the browser.
        .replace(/<(form|button)/g, '<$1 inert')
        .replace(/<(input|textarea)/g, '<$1 inert readonly')
        .replace(/<select/g, '<select disabled');
      const { html, css } = withoutStyleAttributes(inert);
      const head = [
        `<style nonce="__CSP_NONCE__">${[...styles, css].join('')}</style>`,
        ...disabledSheets,
        ...preloads,
        '</head>',
      ];
      const page = template
        .replace('<html lang="en"', `<html lang="${languageTags[options.language]}"`)
        .replace(/ *<link rel="stylesheet"[^>]*>\n?/g, '')
        .replace('</head>', () => head.join('\n'))
        // The visible page has priority over scripts.
        .replace(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"')
        .replace('<div id="root"></div>', () => `<div id="root" data-prerendered>${html}</div>`);
      const file = join(dist, 'pages', options.language, `${name}.html`);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, page);
    };
    // One after the other, since the language is a module's state.
    for (const language of Object.keys(languages) as (keyof typeof languages)[]) {
      for (const [path, sources] of Object.entries(pages))
        await write(path, { path: path.replace('_', '1'), role: 'visitor', language }, sources);
      const placeholder: PrerenderOptions = { path: '/friends', role: 'member', language };
      for (const [path, sources] of Object.entries(memberPages))
        await write(path, placeholder, [...sources, memberSagas]);
      await write('general', placeholder);
    }
    await writePreviewPictures(renderPlacePicture, { root, dist });
    await rm(ssrDirectory, { recursive: true });
  });
}
