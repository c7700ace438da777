import { readFileSync } from 'node:fs';
import { describeWith, openBrowser } from '@wayquest/testing';
import type { Page } from 'playwright-core';
import { type Fault, findBarriers, findLostFocus, findMisfits, findShift } from './screens/checks.ts';
import { type KnownFault, knownFaults } from './screens/known-faults.ts';
import {
  canDrawChinese,
  desktop,
  type Language,
  languages,
  phone,
  type Stage,
  showIn,
  smallPhone,
  speakChinese,
  stand,
  startStage,
  type Theme,
  themes,
  type Viewport,
  viewports,
} from './screens/stage.ts';
import { asItOpens, nameOf, type Screen, screens } from './screens/table.ts';

/** For what is drawn anew after a window changed, in milliseconds. */
const patience = 3_000;

/** The most faults of one kind that are told of a screen: they tend to have one cause. */
const enough = 6;

/** The known faults that were found. */
const met = new Set<KnownFault>();

/** Each fault once, with all the windows that it was seen in. */
function report(found: (Fault & { at: string })[]): string[] {
  const places = new Map<string, string[]>();
  for (const { check, what, at } of found) {
    const fault = `${check}: ${what}`;
    places.set(fault, [...(places.get(fault) ?? []), at]);
  }
  const told = new Map<string, number>();
  return [...places].flatMap(([fault, at]) => {
    const known = knownFaults.find((one) => one.fault.test(fault));
    if (known) {
      met.add(known);
      return [];
    }
    const kind = fault.replace(/“.*”/, '');
    told.set(kind, (told.get(kind) ?? 0) + 1);
    return (told.get(kind) ?? 0) > enough ? [] : [`${fault} (${at.join(', ')})`];
  });
}

/**
 * How much is looked at: for `make a11y` everything in every window, colour and language, which takes minutes. With all
 * else each page as it opens, empty or with much in it: in English in the widest and the narrowest window, in Chinese on a
 * phone; for barriers every other one by day at a desk, and the rest by night on a small phone.
 */
const thorough = process.env.WAYQUEST_TEST_SCREENS !== undefined;
/** Who has most of it comes last. */
const isForOne = (screen: Screen) =>
  screens.findLast(({ route, state }) => route === screen.route && state === screen.state) === screen;
const looksForBarriers = (screen: Screen, viewport: Viewport, colorScheme: Theme) => {
  if (thorough) return true;
  const [window, colors] = screens.indexOf(screen) % 2 ? [smallPhone, 'dark'] : [desktop, 'light'];
  return viewport === window && colorScheme === colors;
};
const windowsIn = (language: Language): readonly Viewport[] => {
  if (thorough) return viewports;
  return language === 'en' ? [desktop, smallPhone] : [phone];
};

/** What there is still when a page has had its time with a new size: a map is drawn anew somewhat later. */
async function misfitsAtRest(page: Page): Promise<Fault[]> {
  let found = await findMisfits(page);
  for (const end = Date.now() + patience; found.length > 0 && Date.now() < end; ) {
    await stand(page);
    found = await findMisfits(page);
  }
  return found;
}

/** New members see a Wayquest that is full as those see it who have been there for long. */
const isSeenFirst = ({ state, world, who }: Screen) =>
  state === asItOpens && (world === 'empty' || who !== 'newcomer');

async function faultsIn(
  stage: Stage,
  screen: Screen,
  language: Language,
): Promise<(Fault & { at: string })[]> {
  const found: (Fault & { at: string })[] = [];
  const add = (faults: Fault[], at: string) =>
    found.push(
      ...faults.map((fault) => ({ ...fault, at: `${at}${language === 'en' ? '' : ` ${language}`}` })),
    );
  const { page, consoleErrors } = await stage.open(screen, language, phone);
  // How much moves while a page loads depends on how busy the machine is: only where it is measured by itself.
  const shift = () => (thorough ? findShift(page) : []);
  add(await shift(), 'loaded on a phone');
  await page.setViewportSize(desktop);
  // What makes a state of a page comes after it has been loaded.
  if (thorough) {
    await stage.reload(page, screen);
    add(await shift(), 'loaded at a desk');
  }
  if (screen.act) {
    if (thorough && screen.staysStill) {
      await page.setViewportSize(smallPhone);
      await stage.reload(page, screen);
    }
    await screen.act(page);
    await stand(page);
    add(await findLostFocus(page), 'then');
    if (screen.staysStill) add(await shift(), 'then, on a small phone');
  }
  for (const viewport of windowsIn('en')) {
    await page.setViewportSize(viewport);
    await stand(page);
    for (const colorScheme of themes) {
      // Colours change no sizes.
      if (colorScheme === 'light') add(await misfitsAtRest(page), `${viewport.width}`);
      if (!looksForBarriers(screen, viewport, colorScheme)) continue;
      await showIn(page, colorScheme);
      add(await findBarriers(page), `${viewport.width} ${colorScheme}`);
    }
  }
  // Said in place, so that what was opened by its English name is looked at too.
  if (language === 'en' && !screen.isOffline && (await canDrawChinese(page))) {
    await speakChinese(page);
    for (const viewport of windowsIn('zh')) {
      await page.setViewportSize(viewport);
      await stand(page);
      add(await misfitsAtRest(page), `${viewport.width} zh`);
    }
  }
  await page.close();
  for (const what of consoleErrors) add([{ check: 'console', what }], 'ever');
  return found;
}

/** Loaded in Chinese too; but what makes a state presses what is called so in English. */
async function faultsOf(stage: Stage, screen: Screen): Promise<string[]> {
  const spoken = thorough && !screen.act ? languages : languages.slice(0, 1);
  const found: (Fault & { at: string })[] = [];
  for (const language of spoken) found.push(...(await faultsIn(stage, screen, language)));
  return report(found);
}

/** Looks again where the network of the machine took something from the pages meanwhile, twice at most. */
async function faultsAtPeace(stage: Stage, screen: Screen): Promise<string[]> {
  for (let again = 2; again > 0; again--) {
    const before = stage.losses();
    const isDisturbed = () => stage.losses() > before;
    const faults = await faultsOf(stage, screen).catch((error) => {
      if (!isDisturbed()) throw error;
      return undefined;
    });
    if (faults && (faults.length === 0 || !isDisturbed())) return faults;
  }
  return faultsOf(stage, screen);
}

test('every route of the app is among them', () => {
  const source = readFileSync(new URL('../src/app/routes.tsx', import.meta.url), 'utf8');
  const paths = [...source.matchAll(/path="([^"]+)"/g)].map(([, path]) => path);
  expect(new Set(screens.map(({ route }) => route))).toEqual(new Set(paths));
});

(await describeWith('chromium'))('every screen', () => {
  let stage: Promise<Stage> | undefined;
  const onStage = () => {
    stage ??= startStage(openBrowser, { size: thorough ? 'large' : 'small' });
    return stage;
  };
  afterAll(async () => (await stage)?.stop());

  const only = process.env.ROUTES?.split(',');
  const rows = screens
    .filter(
      (screen) =>
        (thorough || isSeenFirst(screen) || (only && isForOne(screen))) &&
        (!only || only.includes(screen.route)),
    )
    // The full town is filled meanwhile.
    .sort((one, other) => Number(one.world === 'full') - Number(other.world === 'full'))
    .map((screen) => [nameOf(screen), screen] as const);
  it.concurrent.each(rows)(
    '%s',
    async (_name, screen) => {
      expect(await faultsAtPeace(await onStage(), screen)).toEqual([]);
    },
    180_000,
  );

  if (thorough)
    it('has no known fault that is fixed', () => {
      expect(knownFaults.filter((known) => !met.has(known))).toEqual([]);
    });
});
