import {
  describeWith,
  type Network,
  newChallenge,
  newUser,
  openBrowser,
  pressOn,
  type TestBrowser,
  type TestUser,
} from '@wayquest/testing';
import type { Page } from 'playwright-core';
import { startSite } from './support/start-site.ts';

const position = { lat: 40.75, lng: -73.82 };
const there = { latitude: 40.7504, longitude: -73.82, accuracy: 10 };
const elsewhere = { latitude: 40.9, longitude: -73.82, accuracy: 10 };

(await describeWith('chromium'))('checking in', () => {
  let network: Network;
  let browser: TestBrowser;
  let maker: TestUser;

  beforeAll(async () => {
    network = await startSite({ places: { readAhead: true } });
    browser = await openBrowser(network.url);
    maker = await newUser(network);
  });
  afterAll(async () => {
    await browser?.close();
    await network?.stop();
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const choice = (page: Page) => page.getByRole('checkbox', { name: 'Check in with my location' });
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'You were there!' });

  /** In a browser that tells where it is, or keeps it to itself; on a new challenge that they have joined. */
  async function walker({ at, asked = false }: { at?: typeof there; asked?: boolean }) {
    const user = await newUser(network);
    const challenge = await newChallenge(maker, { position, checkInAsked: asked });
    await user.client.joinChallenge({ body: { challengeId: challenge.id } });
    const { page, consoleErrors } = await browser.visitor();
    await page.addInitScript((token) => localStorage.setItem('token', token), user.token);
    await page.addInitScript(() => {
      const { geolocation } = navigator;
      const ask = geolocation.getCurrentPosition.bind(geolocation);
      geolocation.getCurrentPosition = (...given) => {
        console.info('asked where it is');
        ask(...given);
      };
    });
    let asks = 0;
    let isCompleted = false;
    page.on('console', (message) => {
      if (message.text() === 'asked where it is' && !isCompleted) asks += 1;
    });
    // What comes after it shows what is near, and how far away.
    page.on('request', (request) => {
      isCompleted ||= request.method() === 'PUT' && request.url().includes('/api/challengeLine/');
    });
    if (at) {
      await page.context().grantPermissions(['geolocation']);
      await page.context().setGeolocation(at);
    }
    /** Counts from now on, once the page has said how far away it is to a browser that may say where it is. */
    const countAsks = async () => {
      if (at) await page.getByText(/ away$/).waitFor();
      asks = 0;
    };
    await page.goto(`/challenges/${challenge.id}`);
    await button(page, 'Mark as Complete').waitFor();
    await countAsks();
    const line = async () =>
      (await user.client.listLines()).find((each) => each.challengeId === challenge.id);
    return { page, consoleErrors, challenge, line, countAsks, asks: () => asks };
  }

  it('never asks for the position unless the person chooses a check-in', async () => {
    const { page, line, asks } = await walker({ at: there });
    await pressOn(button(page, 'Mark as Complete'));
    await dialog(page).waitFor();
    expect(await dialog(page).getByText('Checked in').count()).toBe(0);
    expect([asks(), await line()]).toMatchObject([0, { completed: true, checkedIn: false }]);
    await page.context().close();
  });

  it('checks in a person who chooses it and is there, shows it to all, and remembers the choice', async () => {
    const { page, consoleErrors, challenge, line, countAsks, asks } = await walker({ at: there });
    await choice(page).check();
    expect(asks()).toBe(0);
    await page.reload();
    await countAsks();
    expect(await choice(page).isChecked()).toBe(true);
    await pressOn(button(page, 'Mark as Complete'));
    await dialog(page).getByText('Checked in').waitFor();
    expect([asks(), await line()]).toMatchObject([1, { completed: true, checkedIn: true }]);
    await button(page, 'Continue').click();
    await page.goto(`/challenges/${challenge.id}`);
    await page.getByRole('list', { name: 'Participants' }).getByText('Checked in').waitFor();
    expect(consoleErrors).toEqual([]);
    await page.context().close();
  });

  it.each([
    ['is elsewhere', elsewhere, 'you were too far from the place'],
    ['shares no position', undefined, "your location wasn't available"],
  ])('completes without a check-in if the person %s, and says so', async (_, at, sentence) => {
    const { page, line } = await walker({ ...(at && { at }) });
    await choice(page).check();
    await pressOn(button(page, 'Mark as Complete'));
    await dialog(page).getByText(sentence).waitFor();
    expect(await line()).toMatchObject({ completed: true, checkedIn: false });
    await page.context().close();
  });

  it.each([
    ['is elsewhere', elsewhere, 'you are too far away. Go within 100 m'],
    ['shares no position', undefined, 'Allow location access'],
  ])('explains what to do if the person %s and the creator requires a check-in', async (_, at, sentence) => {
    const { page, line } = await walker({ ...(at && { at }), asked: true });
    await page.getByText('be within 100 m of the place').waitFor();
    expect(await choice(page).count()).toBe(0);
    await pressOn(button(page, 'Mark as Complete'));
    await page.getByRole('alert').getByText(sentence).waitFor();
    expect(await line()).toMatchObject({ completed: false });
    if (!at) await page.context().grantPermissions(['geolocation']);
    await page.context().setGeolocation(there);
    await pressOn(button(page, 'Mark as Complete'));
    await dialog(page).getByText('Checked in').waitFor();
    await page.context().close();
  });

  it('is required by a creator in the form, if the challenge is on the map', async () => {
    const { id } = await newChallenge(maker, { position });
    const { page, consoleErrors } = await browser.visitor();
    await page.addInitScript((token) => localStorage.setItem('token', token), maker.token);
    await page.goto(`/challenges/${id}/edit`);
    await page.getByRole('checkbox', { name: 'Require a check-in' }).check();
    await pressOn(button(page, 'Save changes'));
    await page.getByText('Changes saved.').waitFor();
    expect(await network.client().getChallenge({ params: { id } })).toMatchObject({ checkInAsked: true });
    const nowhere = await newChallenge(maker, { position: null });
    await page.goto(`/challenges/${nowhere.id}/edit`);
    await button(page, 'Save changes').waitFor();
    expect(await page.getByRole('checkbox', { name: 'Require a check-in' }).count()).toBe(0);
    expect(consoleErrors).toEqual([]);
    await page.context().close();
  });
});
