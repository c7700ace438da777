import { describeWith, eventually } from '@wayquest/testing';
import type { Page } from 'playwright-core';
import { useSite } from './support/start-site.ts';

/** Scripts of the app that cannot be loaded, temporarily or because an update has removed them. */

const challengesPage = '**/assets/ChallengesPage-*.js';
const client = '**/assets/client-*.js';

(await describeWith('chromium'))('an app with scripts that cannot be loaded', () => {
  const site = useSite();
  let page: Page;
  let loads: number;

  beforeEach(async () => {
    ({ page } = await site.browser.visitor());
    // This page calls no service, so the API client is not loaded yet.
    await page.goto('/libraries');
    await page.getByRole('heading', { name: 'Libraries', level: 1 }).waitFor();
    // A link of the prerendered page would load the next page as a document.
    await page.locator('#root:not([data-prerendered])').waitFor({ state: 'attached' });
    loads = 0;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads += 1;
    });
  });

  const goToChallenges = () => page.getByRole('link', { name: 'Challenges', exact: true }).click();
  const challenges = () => page.getByRole('heading', { name: 'Challenges', exact: true, level: 1 });
  const emptyList = () => page.getByText('No challenges yet.');

  it('reloads the page once if a script is missing', async () => {
    await page.route(challengesPage, (route) =>
      loads === 0 ? route.fulfill({ status: 404 }) : route.fallback(),
    );
    await goToChallenges();
    await challenges().waitFor();
    await emptyList().waitFor();
    expect(loads).toBe(1);
  });

  it('shows an error instead of reloading again if the script is still missing', async () => {
    await page.route(challengesPage, (route) => route.fulfill({ status: 404 }));
    let probes = 0;
    page.on('response', (response) => {
      if (response.request().method() === 'HEAD') probes += 1;
    });
    await goToChallenges();
    await page.getByText("This page couldn't be loaded.").waitFor();
    // Once before the reload, and twice after it, since rendering retries.
    await eventually(() => probes === 3);
    // The effects of the response have started by now.
    await page.evaluate(() => new Promise(requestAnimationFrame));
    expect({ loads, probes }).toEqual({ loads: 1, probes: 3 });
  });

  it('reloads if the request of its first script failed, as when the network changes', async () => {
    await page.route('**/assets/index-*.js', (route) => (loads === 1 ? route.abort() : route.fallback()));
    await page.reload();
    await page.locator('#root:not([data-prerendered])').waitFor({ state: 'attached' });
    expect(loads).toBe(2);
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  it('shows an error without a reload while the server is unreachable, and retries on request', async () => {
    await page.route(client, (route) => route.abort());
    await page.route('**/*', (route) =>
      route.request().method() === 'HEAD' ? route.abort() : route.fallback(),
    );
    await goToChallenges();
    await page.getByText("Can't reach Wayquest.").waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await emptyList().waitFor();
    expect(loads).toBe(0);
  });
});
