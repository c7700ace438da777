import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openChromium } from '@wayquest/testing';
import {
  type BackingKind,
  findBackingService,
  startBackingService,
} from '@wayquest/testing/backing-services';
import { eventually } from '@wayquest/testing/eventually';
import type { Page } from 'playwright-core';
import {
  desktop,
  languages,
  setTheme,
  startFixture,
  switchToChinese,
  themes,
  viewports,
  waitForAnimations,
  waitUntilLoaded,
} from '../test/screens/fixture.ts';
import { type Screen, screens, titleOf } from '../test/screens/matrix.ts';

const folder = join(import.meta.dirname, '../../screenshots');

/** The maximum height of a screenshot in pixels; longer pages are cut off. */
const maxHeight = 2_400;

/** The number of screens that are open at once. */
const concurrency = 3;

const say = (sentence: string) => process.stdout.write(`${sentence}\n`);

async function startDependency(kind: BackingKind) {
  const service = await startBackingService(kind, await findBackingService(kind), say);
  if (!service) throw new Error(`there is no ${kind} here`);
  return service;
}

const slug = (text: string) =>
  text
    .replace('*', 'elsewhere')
    .replace(/[^a-z0-9]+/gi, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase() || 'start';

interface Picture {
  screen: Screen;
  file: string;
  /** Viewport, theme and language. */
  tags: string[];
}

/** Takes a screenshot of a whole page up to the maximum height, or of the viewport if an action opened something in it. */
async function photograph(page: Page, file: string, { act }: Screen) {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  const viewport = page.viewportSize() ?? desktop;
  if (!act) {
    const pageHeight = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({
      ...viewport,
      height: Math.min(Math.max(viewport.height, pageHeight), maxHeight),
    });
    await waitForAnimations(page);
  }
  // Maps are drawn in parts.
  await page.waitForFunction(() => !document.querySelector('.leaflet-tile:not(.leaflet-tile-loaded)'));
  // A small map is drawn in a worker, which ends with it; without its data, as offline, it is never drawn.
  if (!(await page.locator('.leaflet-container').count()))
    await eventually(() => page.workers().length === 0, { withinMs: 10_000 }).catch(() => {});
  await page.screenshot({ path: join(folder, file), type: 'jpeg', quality: 70 });
  await page.setViewportSize(viewport);
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Returns the HTML of an index of all screenshots by route, with filters. */
function contactSheet(pictures: Picture[]): string {
  const routes = new Map<string, Picture[]>();
  for (const picture of pictures) {
    const { route } = picture.screen;
    routes.set(route, [...(routes.get(route) ?? []), picture]);
  }
  const axes = [
    viewports.map(({ width }) => `${width}`),
    [...themes],
    [...new Set(pictures.map(({ screen }) => screen.role))],
    [...languages],
  ];
  const boxes = axes
    .map((axis) =>
      axis.map((tag) => `<label><input type="checkbox" checked value="${tag}">${tag}</label>`).join(''),
    )
    .map((labels) => `<span>${labels}</span>`);
  const figure = ({ screen: { state, role, dataSet }, file, tags }: Picture) => {
    const caption = [state, role, dataSet, ...tags].join(' · ');
    return `<figure data-tags="${[role, ...tags].join(' ')}"><a href="${file}"><img loading="lazy" src="${file}" alt=""></a><figcaption>${escaped(caption)}</figcaption></figure>`;
  };
  const sections = [...routes].map(
    ([route, all]) =>
      `<section id="${slug(route)}"><h2>${escaped(route)}</h2><div>${all.map(figure).join('\n')}</div></section>`,
  );
  const links = [...routes.keys()].map((route) => `<a href="#${slug(route)}">${escaped(route)}</a>`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Wayquest, every screen</title>
<style>
  body { margin: 0; font: 15px/1.4 system-ui; background: #ddd8e2; color: #241c2e }
  nav { position: sticky; top: 0; display: flex; flex-wrap: wrap; gap: 4px 14px; padding: 10px 16px; background: #fff }
  nav span { border-left: 1px solid #ccc; padding-left: 14px } label { margin-right: 8px }
  section { padding: 8px 16px; scroll-margin-top: 90px } section > div { display: flex; flex-wrap: wrap; gap: 16px }
  figure { margin: 0; width: 240px } figcaption { font-size: 13px; padding: 4px 0 }
  img { width: 240px; height: 300px; object-fit: cover; object-position: top; background: #fff; display: block }
  dialog { border: 0; padding: 0; max-width: 96vw; max-height: 96vh; overflow: auto }
  dialog img { width: auto; max-width: 100%; height: auto } dialog p { position: sticky; top: 0; margin: 0; padding: 8px 12px; background: #fff }
</style>
<nav>${links.join('')}${boxes.join('')}</nav>
${sections.join('\n')}
<dialog><p></p><img alt=""></dialog>
<script>
  const figures = [...document.querySelectorAll('figure')];
  const dialog = document.querySelector('dialog');
  let shown;
  const show = (figure) => {
    if (!figure) return;
    shown = figure;
    dialog.querySelector('p').textContent = figure.closest('section').querySelector('h2').textContent + ' · ' + figure.textContent.trim() + '   (← →)';
    dialog.querySelector('img').src = figure.querySelector('a').href;
    if (!dialog.open) dialog.showModal();
    dialog.scrollTo(0, 0);
  };
  const narrow = () => {
    const off = [...document.querySelectorAll('input')].filter((box) => !box.checked).map((box) => box.value);
    for (const figure of figures) figure.hidden = figure.dataset.tags.split(' ').some((tag) => off.includes(tag));
  };
  document.querySelector('nav').addEventListener('change', narrow);
  for (const figure of figures) figure.addEventListener('click', (event) => { event.preventDefault(); show(figure); });
  addEventListener('keydown', ({ key }) => {
    if (!dialog.open) return;
    const wanted = figures.filter((figure) => !figure.hidden);
    if (key === 'ArrowRight') show(wanted[wanted.indexOf(shown) + 1]);
    if (key === 'ArrowLeft') show(wanted[wanted.indexOf(shown) - 1]);
  });
  dialog.addEventListener('click', () => dialog.close());
</script>
</html>
`;
}

const since = performance.now();
const store = await startDependency('embedded-store');
const chromium = await startDependency('chromium');
await rm(folder, { recursive: true, force: true });
const fixture = startFixture((url) => openChromium(chromium.address, url), { mongoUrl: store.address });

const only = process.env.ROUTES?.split(',');
const queue = [...screens.filter(({ route }) => !only || only.includes(route)).entries()];
const picturesByScreen: Picture[][] = [];
const failed: string[] = [];
const takeScreenshots = async (screen: Screen, pictures: Picture[]) => {
  const { page, close } = await fixture.open(screen, 'en', desktop);
  await screen.act?.(page);
  for (const language of screen.isOffline ? languages.slice(0, 1) : languages) {
    if (language === 'zh') await switchToChinese(page);
    if (language === 'zh' && screen.staysBusy) {
      // What it waits for would time out during the pictures of the second language.
      await page.reload();
      await waitUntilLoaded(page, true);
    }
    for (const viewport of viewports) {
      await page.setViewportSize(viewport);
      for (const colorScheme of themes) {
        await setTheme(page, colorScheme);
        const tags = [`${viewport.width}`, colorScheme, language];
        const { route, state, role, dataSet } = screen;
        const file = join(slug(route), `${[state, role, dataSet, ...tags].map(slug).join('_')}.jpeg`);
        await photograph(page, file, screen);
        pictures.push({ screen, file, tags });
      }
    }
  }
  await close();
};
const worker = async () => {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const [index, screen] = next;
    const pictures: Picture[] = [];
    picturesByScreen[index] = pictures;
    // A failed screen does not stop the others.
    await takeScreenshots(screen, pictures).catch((error) => failed.push(`${titleOf(screen)}: ${error}`));
  }
};
await Promise.all(Array.from({ length: concurrency }, worker));
const pictures = picturesByScreen.flat();
await writeFile(join(folder, 'index.html'), contactSheet(pictures));
const minutes = ((performance.now() - since) / 60_000).toFixed(1);
say(`${pictures.length} pictures in ${minutes} minutes: ${join(folder, 'index.html')}`);
for (const failure of failed) say(`missing: ${failure}`);
await fixture.stop();
await store.stop();
process.exit(failed.length ? 1 : 0);
