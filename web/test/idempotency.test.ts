import { describeWith, newUser } from '@wayquest/testing';
import type { Page } from 'playwright-core';
import { signUp } from './support/sign-up.ts';
import { useSite } from './support/start-site.ts';

/** Lets the server do what a page first calls with POST, and responds as a proxy does that gave up waiting for it. */
async function loseFirstResponse(page: Page, path: string): Promise<(string | undefined)[]> {
  const keys: (string | undefined)[] = [];
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 1) return route.continue();
      await route.fetch();
      await route.fulfill({ status: 504, contentType: 'text/html', body: '<h1>504 Gateway Time-out</h1>' });
    },
  );
  return keys;
}

(await describeWith('chromium'))('pressing again after the response was lost', () => {
  const site = useSite();
  const isUnavailable = (page: Page) => page.getByText('Wayquest is temporarily unavailable.').waitFor();

  it('sends the same Idempotency-Key when signing up, and logs in (Z1)', async () => {
    const { page } = await site.visit('/signup');
    const keys = await loseFirstResponse(page, '/auth/signup');
    await signUp(page, 'ann.of.the.lost.answer');
    await isUnavailable(page);
    await page.getByRole('button', { name: 'Sign Up', exact: true }).click();
    await page.getByRole('link', { name: 'Users', exact: true }).waitFor();
    expect(keys).toEqual([expect.stringMatching(/^[\w-]{16,}$/), keys[0]]);
  });

  it('creates one challenge (Z1)', async () => {
    const user = await newUser(site.network);
    const { page } = await site.visit('/challenges', { token: user.token });
    const keys = await loseFirstResponse(page, '/api/challenges/');
    await page.getByRole('link', { name: 'Add a Challenge' }).click();
    const fields = {
      ...{ name: 'Find the oldest tree', points: '25', locationName: 'Kissena Park' },
      ...{ streetAddress: '164-15 Booth Memorial Ave', city: 'Flushing', state: 'NY' },
    };
    for (const [name, value] of Object.entries(fields)) await page.locator(`[name="${name}"]`).fill(value);
    await page.locator('[name="difficulty"]').selectOption('Medium');
    const create = page.getByRole('button', { name: 'Create New Challenge!', exact: true });
    await create.click();
    await isUnavailable(page);
    await create.click();
    await page.waitForURL(/\/challenges\/\d+$/);
    expect(keys).toEqual([expect.stringMatching(/^[\w-]{16,}$/), keys[0]]);
    const list = await user.client.listChallenges({ query: { search: fields.name } });
    expect(list).toHaveLength(1);
  });
});
