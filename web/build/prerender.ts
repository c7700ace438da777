import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type PlaceCategory, placeCategories } from '@wayquest/contracts';
import sharp from 'sharp';
import { build, type Manifest, type Plugin } from 'vite';
import type { PrerenderOptions } from '../src/prerender.tsx';
import { partsOf } from './worker.ts';

/** The size that readers of link previews show in full (the Open Graph protocol; 1.91 to 1). */
const size = 'width="1200" height="630"';

/** The colors that a style sheet gives to a picture with these attributes, by name. */
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

/** Writes a picture of each kind of place into `images/place-categories/`, for previews of links, whose readers show no SVG. */
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
      const drawn = renderPlacePicture(placeCategory);
      const colors = colorsOf(css, drawn);
      const svg = drawn
        .replace('<svg', `<svg xmlns="http://www.w3.org/2000/svg" ${size}`)
        .replace(/viewBox="[^"]*"/, 'viewBox="-30 0 381 200"')
        .replace(/var\((--[\w-]+)\)/g, (_, name: string) => {
          const color = colors.get(name);
          if (!color) throw new Error(`${sheet} gives no ${name} to the picture of ${placeCategory}`);
          return color;
        });
      await sharp(Buffer.from(svg))
        .jpeg({ quality: 82, mozjpeg: true })
        .toFile(join(directory, `${placeCategory}.jpg`));
    }),
  );
}

type Drawn = typeof import('../src/prerender.tsx');

/** The entry that every page with sagas also loads. */
const ofPages = 'src/app/page-sagas.ts';
/** Drawn as a visitor first sees them. Each stands in `pages/`, under its language and path, with `_` for an id. */
const pages: Record<string, string[]> = {
  '/home': ['src/features/home/routes/Home.tsx'],
  '/explore': ['src/features/explore/routes/Explore.tsx', ofPages],
  '/challenges': ['src/app/pages/ChallengesPage.tsx', ofPages],
  '/challenges/_': ['src/features/challenges/routes/ChallengeDetail.tsx', ofPages],
  '/leaderboard': ['src/features/leaderboard/routes/Leaderboard.tsx', ofPages],
  '/libraries': ['src/features/libraries/routes/Libraries.tsx'],
  '/login': ['src/features/auth/routes/Login.tsx'],
  '/signup': ['src/features/auth/routes/Signup.tsx'],
  '/forgot': ['src/features/auth/routes/Forgot.tsx'],
  '/reset': ['src/features/auth/routes/Reset.tsx'],
  '/confirm-email': ['src/features/auth/routes/ConfirmEmail.tsx'],
};

/** Which of them only members see more of than what stands there meanwhile; their code is asked for at once all the same. */
const pagesOfMembers: Record<string, string[]> = {
  '/profile': ['src/app/pages/ProfilePage.tsx', ofPages],
  '/settings': ['src/app/pages/SettingsPage.tsx', ofPages],
  '/users': ['src/features/users/routes/FindUsers.tsx', ofPages],
  '/users/_': ['src/app/pages/PublicProfilePage.tsx', ofPages],
  '/friends': ['src/features/friends/routes/Friends.tsx'],
  '/friendsinvitation': ['src/features/friends/routes/FriendRequests.tsx'],
  '/pendingfriendrequests': ['src/features/friends/routes/FriendRequests.tsx'],
  '/messenger': ['src/features/messenger/routes/Messenger.tsx'],
  '/messenger/_': ['src/features/messenger/routes/Messenger.tsx'],
  '/notifications': ['src/features/notifications/routes/Notifications.tsx'],
  '/challenges/_/edit': ['src/features/challenges/routes/EditChallenge.tsx', ofPages],
};
/** The entries that every member also loads. */
const ofMembers = 'src/app/member-sagas.ts';

/** Style attributes as rules in an element with the answer's nonce: the content policy lets no attributes in. */
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
 * Draws the pages that anybody may open into the page that the build made, so that they are seen before any script has
 * come. Where the others will be stands what stands there while their code is on its way.
 */
export function prerender(): Plugin {
  return {
    name: 'wayquest:prerender',
    apply: (config, { command }) => command === 'build' && !config.build?.ssr,
    closeBundle: {
      sequential: true,
      order: 'post',
      async handler() {
        const root = join(import.meta.dirname, '..');
        const dist = join(root, 'dist');
        const drawn = join(root, 'node_modules/.prerender');
        await build({
          root,
          logLevel: 'error',
          build: { ssr: 'src/prerender.tsx', outDir: drawn, emptyOutDir: true, manifest: false },
          // From the sources, as the app itself: nothing need be compiled before.
          ssr: { resolve: { conditions: ['@wayquest/source', 'module', 'node', 'development|production'] } },
        });
        const { prerenderPage, renderPlacePicture, languages, languageTags }: Drawn = await import(
          pathToFileURL(join(drawn, 'prerender.js')).href
        );
        const manifest: Manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8'));
        const template = await readFile(join(dist, 'index.html'), 'utf8');
        const shared = partsOf(manifest, 'index.html');

        const write = async (name: string, drawing: PrerenderOptions, sources: string[] = []) => {
          const parts = new Set(sources.flatMap((source) => [...partsOf(manifest, source)]));
          const own = [...parts].filter((key) => !shared.has(key));
          const chunks = own.map((key) => {
            const chunk = manifest[key];
            if (!chunk) throw new Error(`${key} is not in the build's manifest`);
            return `<link rel="modulepreload" crossorigin href="/${chunk.file}">`;
          });
          const sheets = [...shared, ...own].flatMap((key) => manifest[key]?.css ?? []);
          // Are in the page already; said, so that no chunk asks for them again and puts them after what comes later.
          const known = sheets.map((css) => `<link rel="stylesheet" disabled href="/${css}">`);
          const styles = await Promise.all(sheets.map((css) => readFile(join(dist, css), 'utf8')));
          const still = (await prerenderPage(drawing))
            .replace(/<title>.*?<\/title>/, '')
            // What is typed before the app is there would be lost, or go where it should not.
            .replace(/<(form|button)/g, '<$1 inert')
            .replace(/<(input|textarea)/g, '<$1 inert readonly')
            .replace(/<select/g, '<select disabled');
          const { html, css } = withoutStyleAttributes(still);
          const head = [
            `<style nonce="__CSP_NONCE__">${[...styles, css].join('')}</style>`,
            ...known,
            ...chunks,
            '</head>',
          ];
          const page = template
            .replace('<html lang="en">', `<html lang="${languageTags[drawing.language]}">`)
            .replace(/ *<link rel="stylesheet"[^>]*>\n?/g, '')
            .replace('</head>', () => head.join('\n'))
            // What is seen comes first.
            .replace(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"')
            .replace('<div id="root"></div>', () => `<div id="root" data-drawn>${html}</div>`);
          const file = join(dist, 'pages', drawing.language, `${name}.html`);
          await mkdir(dirname(file), { recursive: true });
          await writeFile(file, page);
        };
        // One after the other: all of the app speaks one language at a time.
        for (const language of Object.keys(languages) as (keyof typeof languages)[]) {
          for (const [path, sources] of Object.entries(pages))
            await write(path, { path: path.replace('_', '1'), role: 'visitor', language }, sources);
          const drawing: PrerenderOptions = { path: '/friends', role: 'member', language };
          for (const [path, sources] of Object.entries(pagesOfMembers))
            await write(path, drawing, [...sources, ofMembers]);
          await write('general', drawing);
        }
        await writePreviewPictures(renderPlacePicture, { root, dist });
        await rm(drawn, { recursive: true });
      },
    },
  };
}
