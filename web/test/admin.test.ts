import {
  complete,
  describeWith,
  eventually,
  type Network,
  newChallenge,
  newEvent,
  newUser,
  openBrowser,
  type TestBrowser,
} from '@wayquest/testing';
import { findBarriers } from './screens/checks.ts';
import { startSite } from './support/start-site.ts';

(await describeWith('chromium'))('an admin', () => {
  let network: Network;
  let browser: TestBrowser;
  beforeAll(async () => {
    network = await startSite();
    browser = await openBrowser(network.url);
  });
  afterAll(async () => {
    await browser?.close();
    await network?.stop();
  });

  it('takes away all that somebody made, and what was earned with it, by the keyboard and after a second thought', async () => {
    const [maker, walker, admin] = [await newUser(network), await newUser(network), await newUser(network)];
    for (const points of [40, 60]) await complete(walker, await newChallenge(maker, { points }));
    await network.settle();
    expect((await walker.client.getMe()).points).toBe(100);
    const rights = { id: admin.me.id, username: admin.username, admin: true, version: 2 };
    await network.bus.publish(newEvent('user.account-changed.v1', rights));
    const token = network.signToken({ sub: String(admin.me.id), username: admin.username, admin: true });

    const { page, complaints } = await browser.visitor({ viewport: { width: 390, height: 844 } });
    await page.addInitScript((value) => localStorage.setItem('token', value), token);
    await page.goto(`/users/${maker.me.id}`);
    await page.getByRole('button', { name: `Delete all challenges of ${maker.username}` }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('so do the points').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Keep them' }).press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    expect((await network.client().listChallenges()).length).toBe(2);

    await page.getByRole('button', { name: /^Delete all/ }).press('Enter');
    await dialog.getByRole('button', { name: 'Delete them' }).press('Enter');
    await page.getByText(`2 challenges of ${maker.username} are deleted.`).waitFor();
    expect(await network.client().listChallenges()).toEqual([]);
    await eventually(async () => expect((await walker.client.getMe()).points).toBe(0));
    expect(complaints).toEqual([]);
  });
});
