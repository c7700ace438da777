import { readFileSync } from 'node:fs';
import { describeWith, openBrowser } from '@wayquest/testing';
import { type Fault, findBarriers, findMisfits, findShift } from './screens/checks.ts';
import { type KnownFault, knownFaults } from './screens/known-faults.ts';
import {
  desktop,
  type Language,
  languages,
  phone,
  type Stage,
  showIn,
  stand,
  startStage,
  type Theme,
  themes,
  type Viewport,
  viewports,
} from './screens/stage.ts';
import { asItOpens, nameOf, type Screen, screens } from './screens/table.ts';

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
 * How much is looked at: with all else each page as it opens, in some windows and colours; with `quick` its other states
 * too; for `make screens` everything in every one of them, which takes minutes.
 */
const asked = process.env.WAYQUEST_TEST_SCREENS;
const thorough = asked !== undefined && asked !== 'quick';
const looksForBarriers = (viewport: Viewport, colorScheme: Theme) =>
  thorough ||
  (viewport === desktop && colorScheme === 'light') ||
  (viewport === phone && colorScheme === 'dark');

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
  const { page, complaints } = await stage.open(screen, language, phone);
  add(await findShift(page), 'loaded on a phone');
  await page.setViewportSize(desktop);
  // What makes a state of a page comes after it has been loaded.
  if (thorough || screen.state === asItOpens) {
    await stage.reload(page, screen);
    add(await findShift(page), 'loaded at a desk');
  }
  await screen.act?.(page);
  for (const viewport of viewports) {
    await page.setViewportSize(viewport);
    await stand(page);
    for (const colorScheme of themes) {
      // Colours change no sizes.
      if (colorScheme === 'light') add(await findMisfits(page), `${viewport.width}`);
      if (!looksForBarriers(viewport, colorScheme)) continue;
      await showIn(page, colorScheme);
      add(await findBarriers(page), `${viewport.width} ${colorScheme}`);
    }
  }
  await page.close();
  for (const what of complaints) add([{ check: 'console', what }], 'ever');
  return found;
}

/** In Chinese too, where everything is looked at; what makes a state presses what is called so in English. */
async function faultsOf(stage: Stage, screen: Screen): Promise<string[]> {
  const spoken = thorough && !screen.act ? languages : languages.slice(0, 1);
  const found: (Fault & { at: string })[] = [];
  for (const language of spoken) found.push(...(await faultsIn(stage, screen, language)));
  return report(found);
}

test('every route of the app is among them', () => {
  const source = readFileSync(new URL('../src/app/routes.tsx', import.meta.url), 'utf8');
  const paths = [...source.matchAll(/path="([^"]+)"/g)].map(([, path]) => path);
  expect(new Set(screens.map(({ route }) => route))).toEqual(new Set(paths));
});

(await describeWith('chromium'))('every screen', () => {
  let stage: Promise<Stage> | undefined;
  const onStage = () => {
    stage ??= startStage(openBrowser);
    return stage;
  };
  afterAll(async () => (await stage)?.stop());

  const only = process.env.ROUTES?.split(',');
  const rows = screens
    .filter(
      ({ route, state }) => (asked !== undefined || state === asItOpens) && (!only || only.includes(route)),
    )
    .map((screen) => [nameOf(screen), screen] as const);
  it.concurrent.each(rows)(
    '%s',
    async (_name, screen) => {
      expect(await faultsOf(await onStage(), screen)).toEqual([]);
    },
    180_000,
  );

  // Among the pages as they open there need not be one that has it.
  if (asked !== undefined)
    it('has no known fault that is mended', () => {
      expect(knownFaults.filter((known) => !met.has(known))).toEqual([]);
    });
});
