import { describeWith, newChallenge, newUser } from '@wayquest/testing';
import { useSite } from './support/start-site.ts';

(await describeWith('chromium'))('a browser that does not know some time zones', () => {
  const site = useSite({ places: { preload: true } });

  it.each(['/challenges', '/explore', '/home'])('shows all challenges on %s (Q10)', async (path) => {
    const user = await newUser(site.network);
    const positions = [
      { lat: 40.7604, lng: -73.8204 },
      { lat: 40.7596, lng: -73.8196 },
    ];
    const dates = { startDate: '2020-01-01', endDate: '2099-01-01' };
    const names = ['Cross the bridge', 'Find the tree'].map((name) => `${name} ${path}`);
    for (const [index, name] of names.entries())
      await newChallenge(user, { name, position: positions[index] ?? null, ...dates });
    const { page, consoleErrors } = await site.visit(path, {
      prepare: (prepared) =>
        prepared.route('**/api/challenges/**', async (route) => {
          const response = await route.fetch();
          // The first of them is where no browser knows the time.
          const body = (await response.text()).replace('America/New_York', 'Mars/Phobos');
          await route.fulfill({ response, body });
        }),
    });
    if (path === '/explore')
      await page
        .getByRole('button', { name: /bridge|tree|2/ })
        .first()
        .waitFor();
    else
      for (const name of names)
        await page
          .getByRole('link', { name: new RegExp(name) })
          .first()
          .waitFor();
    expect(await page.getByText("This page couldn't be loaded.").count()).toBe(0);
    expect(consoleErrors).toEqual([]);
  });
});
