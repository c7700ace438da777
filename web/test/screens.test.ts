import { readFileSync } from 'node:fs';
import { describeWith, openBrowser } from '@wayquest/testing';
import type { Page } from 'playwright-core';
import {
  findBarriers,
  findLayoutIssues,
  findLayoutShift,
  findLostFocus,
  type Issue,
} from './screens/checks.ts';
import {
  desktop,
  hasChineseFont,
  type Language,
  languages,
  phone,
  type ScreenFixture,
  setTheme,
  smallPhone,
  startFixture,
  switchToChinese,
  type Theme,
  themes,
  type Viewport,
  viewports,
  waitForAnimations,
} from './screens/fixture.ts';
import { type KnownIssue, knownIssues } from './screens/known-issues.ts';
import { initialState, type Screen, screens, titleOf } from './screens/matrix.ts';

/** How long a page may take to settle after the viewport changed, in milliseconds. */
const layoutTimeoutMs = 3_000;

/** The maximum number of similar issues reported for a screen: they usually have one cause. */
const maxRepeats = 6;

/** The known issues that were found. */
const foundIssues = new Set<KnownIssue>();

/** Lists each issue once, with all its occurrences, and without the known ones. */
function report(found: (Issue & { occurrence: string })[]): string[] {
  const occurrences = new Map<string, string[]>();
  for (const { check, description, occurrence } of found) {
    const text = `${check}: ${description}`;
    occurrences.set(text, [...(occurrences.get(text) ?? []), occurrence]);
  }
  const counts = new Map<string, number>();
  return [...occurrences].flatMap(([text, occurrence]) => {
    const issue = knownIssues.find((one) => one.pattern.test(text));
    if (issue) {
      foundIssues.add(issue);
      return [];
    }
    const kind = text.replace(/“.*”/, '');
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return (counts.get(kind) ?? 0) > maxRepeats ? [] : [`${text} (${occurrence.join(', ')})`];
  });
}

/**
 * Whether everything is checked (`make a11y`), which takes minutes: every state, role, viewport, color scheme and language.
 * Otherwise each page is checked once, in its initial state with the most data: in English in the widest and the narrowest
 * viewport, in Chinese on a phone; with axe alternately on a light desktop and on a dark small phone.
 */
const isExhaustive = process.env.WAYQUEST_TEST_SCREENS !== undefined;
/** The last data set and role in the matrix have the most data. */
const hasMostData = (screen: Screen) =>
  screens.findLast(({ route, state }) => route === screen.route && state === screen.state) === screen;
const runsAxe = (screen: Screen, viewport: Viewport, colorScheme: Theme) => {
  if (isExhaustive) return true;
  const [window, colors] = screens.indexOf(screen) % 2 ? [smallPhone, 'dark'] : [desktop, 'light'];
  return viewport === window && colorScheme === colors;
};
const viewportsIn = (language: Language): readonly Viewport[] => {
  if (isExhaustive) return viewports;
  return language === 'en' ? [desktop, smallPhone] : [phone];
};

/** Returns the issues that remain after a page had time to adapt to a new size: maps are redrawn later. */
async function findStableLayoutIssues(page: Page): Promise<Issue[]> {
  let found = await findLayoutIssues(page);
  for (const end = Date.now() + layoutTimeoutMs; found.length > 0 && Date.now() < end; ) {
    await waitForAnimations(page);
    found = await findLayoutIssues(page);
  }
  return found;
}

async function findIssuesIn(
  fixture: ScreenFixture,
  screen: Screen,
  language: Language,
): Promise<(Issue & { occurrence: string })[]> {
  const found: (Issue & { occurrence: string })[] = [];
  const add = (issues: Issue[], occurrence: string) =>
    found.push(
      ...issues.map((text) => ({
        ...text,
        occurrence: `${occurrence}${language === 'en' ? '' : ` ${language}`}`,
      })),
    );
  const { page, consoleErrors, close } = await fixture.open(screen, language, phone);
  // Layout shifts while loading depend on the load of the machine: measured in exhaustive runs only.
  const shift = () => (isExhaustive ? findLayoutShift(page) : []);
  add(await shift(), 'loading, phone');
  await page.setViewportSize(desktop);
  // The action that creates the state runs after loading.
  if (isExhaustive) {
    await fixture.reload(page, screen);
    add(await shift(), 'loading, desktop');
  }
  if (screen.act) {
    if (isExhaustive && screen.expectsNoShift) {
      await page.setViewportSize(smallPhone);
      await fixture.reload(page, screen);
    }
    await screen.act(page);
    await waitForAnimations(page);
    add(await findLostFocus(page), 'after the action');
    if (screen.expectsNoShift) add(await shift(), 'after the action, small phone');
  }
  for (const viewport of viewportsIn('en')) {
    await page.setViewportSize(viewport);
    await waitForAnimations(page);
    for (const colorScheme of themes) {
      // Color schemes do not change the layout.
      if (colorScheme === 'light') add(await findStableLayoutIssues(page), `${viewport.width}`);
      if (!runsAxe(screen, viewport, colorScheme)) continue;
      await setTheme(page, colorScheme);
      add(await findBarriers(page), `${viewport.width} ${colorScheme}`);
    }
  }
  // The language is switched without a reload, so that states reached by English labels are checked too.
  if (language === 'en' && !screen.isOffline && (await hasChineseFont(page))) {
    await switchToChinese(page);
    for (const viewport of viewportsIn('zh')) {
      await page.setViewportSize(viewport);
      await waitForAnimations(page);
      add(await findStableLayoutIssues(page), `${viewport.width} zh`);
    }
  }
  await close();
  for (const description of consoleErrors) add([{ check: 'console', description: description }], 'console');
  return found;
}

/** Screens without an action are also loaded in Chinese; actions find their elements by English labels. */
async function findIssues(fixture: ScreenFixture, screen: Screen): Promise<string[]> {
  const tested = isExhaustive && !screen.act ? languages : languages.slice(0, 1);
  const found: (Issue & { occurrence: string })[] = [];
  for (const language of tested) found.push(...(await findIssuesIn(fixture, screen, language)));
  return report(found);
}

/** Repeats a check up to twice if requests failed meanwhile because the machine's network changed. */
async function findIssuesWithRetry(fixture: ScreenFixture, screen: Screen): Promise<string[]> {
  for (let retriesLeft = 2; retriesLeft > 0; retriesLeft--) {
    const before = fixture.lostRequests();
    const hasLostRequests = () => fixture.lostRequests() > before;
    const issues = await findIssues(fixture, screen).catch((error) => {
      if (!hasLostRequests()) throw error;
      return undefined;
    });
    if (issues && (issues.length === 0 || !hasLostRequests())) return issues;
  }
  return findIssues(fixture, screen);
}

test('the matrix contains every route of the app', () => {
  const source = readFileSync(new URL('../src/app/routes.tsx', import.meta.url), 'utf8');
  const paths = [...source.matchAll(/path="([^"]+)"/g)].map(([, path]) => path);
  expect(new Set(screens.map(({ route }) => route))).toEqual(new Set(paths));
});

(await describeWith('chromium'))('each screen has no accessibility, layout or console issues', () => {
  let fixture: ScreenFixture;
  beforeAll(() => {
    // Only what is visible counts as a layout shift.
    const openBrowserFor = (url: string) => openBrowser(url, { isTransparent: !isExhaustive });
    fixture = startFixture(openBrowserFor, { size: isExhaustive ? 'large' : 'small' });
  });
  afterAll(() => fixture?.stop());

  const only = process.env.ROUTES?.split(',');
  const cases = screens
    .filter(
      (screen) =>
        (isExhaustive || ((only || screen.state === initialState) && hasMostData(screen))) &&
        (!only || only.includes(screen.route)),
    )
    // Those of the empty network first, while the full one is being seeded.
    .sort((one, other) => Number(one.dataSet === 'full') - Number(other.dataSet === 'full'))
    .map((screen) => [titleOf(screen), screen] as const);
  it.concurrent.each(cases)(
    '%s',
    async (_name, screen) => {
      expect(await findIssuesWithRetry(fixture, screen)).toEqual([]);
    },
    180_000,
  );

  if (isExhaustive)
    it('each known issue still occurs', () => {
      expect(knownIssues.filter((issue) => !foundIssues.has(issue))).toEqual([]);
    });
});
