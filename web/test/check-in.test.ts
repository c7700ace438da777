import { describeWith, newChallenge, newUser, pressKey, type TestUser } from '@wayquest/testing';
import type { Page } from 'playwright-core';
import { useSite } from './support/start-site.ts';

const position = { lat: 40.75, lng: -73.82 };
const atPlace = { latitude: 40.7504, longitude: -73.82, accuracy: 10 };
const elsewhere = { latitude: 40.9, longitude: -73.82, accuracy: 10 };

(await describeWith('chromium'))('checking in', () => {
  const site = useSite({ places: { preload: true } });
  let creator: TestUser;

  beforeAll(async () => {
    creator = await newUser(site.network);
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const choice = (page: Page) => page.getByRole('checkbox', { name: 'Check in with my location' });
  const dialog = (page: Page) => page.getByRole('dialog', { name: /^(You were there|Completed)!$/ });
  const titled = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });

  /** Opens a joined challenge in a browser that has the given position, or denies access to it. */
  async function openAsParticipant({
    at,
    checkInRequired = false,
  }: {
    at?: typeof atPlace;
    checkInRequired?: boolean;
  }) {
    const user = await newUser(site.network);
    const challenge = await newChallenge(creator, { position, checkInRequired });
    await user.client.joinChallenge({ body: { challengeId: challenge.id } });
    const { page, consoleErrors } = await site.browser.visitor({ token: user.token });
    await page.addInitScript(() => {
      const { geolocation } = navigator;
      const getCurrentPosition = geolocation.getCurrentPosition.bind(geolocation);
      geolocation.getCurrentPosition = (...args) => {
        console.info('position requested');
        getCurrentPosition(...args);
      };
    });
    let positionRequests = 0;
    let isCompleted = false;
    page.on('console', (message) => {
      if (message.text() === 'position requested' && !isCompleted) positionRequests += 1;
    });
    // After the completion, the page requests the position to show nearby challenges.
    page.on('request', (request) => {
      isCompleted ||= request.method() === 'PUT' && request.url().includes('/api/challengeLine/');
    });
    if (at) {
      await page.context().grantPermissions(['geolocation']);
      await page.context().setGeolocation(at);
    }
    /** Resets the count after the page has shown the distance, which needs the position if it is allowed. */
    const resetPositionRequests = async () => {
      if (at) await page.getByText(/ away$/).waitFor();
      positionRequests = 0;
    };
    await page.goto(`/challenges/${challenge.id}`);
    await button(page, 'Mark as Complete').waitFor();
    await resetPositionRequests();
    const participation = async () =>
      (await user.client.listParticipations()).find((each) => each.challengeId === challenge.id);
    return {
      page,
      consoleErrors,
      challenge,
      participation,
      resetPositionRequests,
      positionRequests: () => positionRequests,
    };
  }

  it('never requests the position unless the user chooses to check in', async () => {
    const { page, participation, positionRequests } = await openAsParticipant({ at: atPlace });
    await pressKey(button(page, 'Mark as Complete'));
    await titled(page, 'Completed!').waitFor();
    expect(await dialog(page).getByText('Checked in').count()).toBe(0);
    expect([positionRequests(), await participation()]).toMatchObject([
      0,
      { completed: true, checkedIn: false },
    ]);
  });

  it('checks in a user at the place, shows it to participants, and remembers the choice', async () => {
    const { page, consoleErrors, challenge, participation, resetPositionRequests, positionRequests } =
      await openAsParticipant({ at: atPlace });
    await choice(page).check();
    expect(positionRequests()).toBe(0);
    await page.reload();
    await resetPositionRequests();
    expect(await choice(page).isChecked()).toBe(true);
    await pressKey(button(page, 'Mark as Complete'));
    await titled(page, 'You were there!').getByText('Checked in').waitFor();
    expect([positionRequests(), await participation()]).toMatchObject([
      1,
      { completed: true, checkedIn: true },
    ]);
    await button(page, 'Continue').click();
    await page.goto(`/challenges/${challenge.id}`);
    await page.getByRole('list', { name: 'Participants' }).getByText('Checked in').waitFor();
    expect(consoleErrors).toEqual([]);
  });

  it.each([
    ['is elsewhere', elsewhere, 'you were too far from the place'],
    ['shares no position', undefined, "your browser doesn't allow location access"],
  ])(
    'completes without a check-in, with the reason, if the user %s (53, finding 30)',
    async (_, at, sentence) => {
      const { page, participation } = await openAsParticipant({ ...(at && { at }) });
      await choice(page).check();
      await pressKey(button(page, 'Mark as Complete'));
      await titled(page, 'Completed!').getByText(sentence).waitFor();
      expect(await participation()).toMatchObject({ completed: true, checkedIn: false });
    },
  );

  it.each([
    ['is elsewhere', elsewhere, 'you are too far away. Go within 100 m (325 ft)'],
    ['shares no position', undefined, 'Allow location access'],
  ])(
    'does not complete, and explains what to do, if a check-in is required and the user %s',
    async (_, at, sentence) => {
      const { page, participation } = await openAsParticipant({ ...(at && { at }), checkInRequired: true });
      await page.getByText('be within 325 ft of the place').waitFor();
      expect(await choice(page).count()).toBe(0);
      await pressKey(button(page, 'Mark as Complete'));
      await page.getByRole('alert').getByText(sentence).waitFor();
      expect(await participation()).toMatchObject({ completed: false });
      if (!at) await page.context().grantPermissions(['geolocation']);
      await page.context().setGeolocation(atPlace);
      await pressKey(button(page, 'Mark as Complete'));
      await dialog(page).getByText('Checked in').waitFor();
    },
  );

  it('takes a coarse position if no exact one is found in time (Q16)', async () => {
    const { page } = await openAsParticipant({ checkInRequired: true });
    await page.evaluate(() => {
      const coords = { latitude: 40.7504, longitude: -73.82, accuracy: 45 } as GeolocationCoordinates;
      Object.defineProperty(navigator.geolocation, 'getCurrentPosition', {
        value: (found: PositionCallback, failed: PositionErrorCallback, options: PositionOptions) => {
          const error = { code: 3, PERMISSION_DENIED: 1 } as GeolocationPositionError;
          if (options.enableHighAccuracy) failed(error);
          // Its time is by another clock.
          else found({ coords, timestamp: 0 } as GeolocationPosition);
        },
      });
    });
    await pressKey(button(page, 'Mark as Complete'));
    await dialog(page).getByText('Checked in').waitFor();
  });

  it('says that no position was found, if that is the reason (Q16)', async () => {
    const { page, participation } = await openAsParticipant({ checkInRequired: true });
    await page.evaluate(() => {
      Object.defineProperty(navigator.geolocation, 'getCurrentPosition', {
        value: (_found: PositionCallback, failed: PositionErrorCallback) =>
          failed({ code: 2, PERMISSION_DENIED: 1 } as GeolocationPositionError),
      });
    });
    await pressKey(button(page, 'Mark as Complete'));
    await page.getByRole('alert').getByText("your device couldn't find its location").waitFor();
    expect(await participation()).toMatchObject({ completed: false });
  });

  it('can be required in the form, only if the challenge has a position', async () => {
    const { id } = await newChallenge(creator, { position });
    const { page, consoleErrors } = await site.browser.visitor({ token: creator.token });
    await page.goto(`/challenges/${id}/edit`);
    await page.getByRole('checkbox', { name: 'Require a check-in' }).check();
    await pressKey(button(page, 'Save changes'));
    await page.getByText('Changes saved.').waitFor();
    expect(await site.network.client().getChallenge({ params: { id } })).toMatchObject({
      checkInRequired: true,
    });
    const withoutPosition = await newChallenge(creator, { position: null });
    await page.goto(`/challenges/${withoutPosition.id}/edit`);
    await button(page, 'Save changes').waitFor();
    expect(await page.getByRole('checkbox', { name: 'Require a check-in' }).count()).toBe(0);
    expect(consoleErrors).toEqual([]);
  });
});
