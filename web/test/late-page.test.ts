import { describeWith, newEvent, newUser } from '@wayquest/testing';
import type { Route } from 'playwright-core';
import { useSite } from './support/start-site.ts';

(await describeWith('chromium'))('the queue of reports', () => {
  const site = useSite();

  const caseOf = (title: string) => ({
    ...{ id: `user-${title}`, kind: 'user', snapshot: { title, text: '' }, state: 'visible' },
    ...{ openedAt: '2026-05-01T12:00:00.000Z', suspendedUntil: null, reports: 1, weight: 1 },
  });

  it('shows only its own pages if another order is chosen while a further page is loading (code 7)', async () => {
    const admin = await newUser(site.network);
    const rights = { id: admin.me.id, username: admin.username, admin: true, version: 2 };
    await site.network.bus.publish(newEvent('user.account-changed.v1', rights));
    const token = site.network.signToken({ sub: String(admin.me.id), username: admin.username, admin: true });
    let late: Route | undefined;
    const { page } = await site.visit('/moderation', {
      token,
      prepare: (prepared) =>
        prepared.route('**/api/moderation/cases?**', async (route) => {
          const query = new URL(route.request().url()).searchParams;
          const sort = query.get('sort') ?? '';
          if (query.has('cursor')) {
            late = route;
            return;
          }
          const link = `</api/moderation/cases?cursor=next-${sort}>; rel="next"`;
          await route.fulfill({ json: [caseOf(`first by ${sort}`)], headers: { link } });
        }),
    });
    await page.getByText('first by weight').waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('link', { name: 'By age' }).click();
    await page.getByText('first by age').waitFor();
    await late?.fulfill({ json: [caseOf('late by weight')] });
    await page.waitForLoadState('networkidle');
    expect(await page.getByText('late by weight').count()).toBe(0);
    expect(await page.getByText('first by age').count()).toBe(1);
  });
});
