import { describeWith, eventually, newChallenge, newUser, pressKey } from '@wayquest/testing';
import {
  boxOf,
  button,
  field,
  fillForm,
  handle,
  list,
  map,
  type OpenMapFixture,
  phone,
  sheet,
  startOpenMap,
  waitForSnapPoint,
} from './support/open-map.ts';
import { signUp } from './support/sign-up.ts';

(await describeWith('chromium'))('windows on the open map, without access to other hosts', () => {
  let fixture: OpenMapFixture;
  beforeAll(async () => {
    fixture = await startOpenMap();
  });
  afterAll(() => fixture?.stop());

  it('a challenge created by a click is shown on the map and in the list, and a visitor joins it after signing up', async () => {
    const { page } = await fixture.visit('/explore', { as: fixture.creator });
    await list(page).getByText('Find the carousel').waitFor();
    await map(page).click({ position: { x: 800, y: 520 } });
    const window = page.getByRole('dialog', { name: 'Create a Challenge' });
    await window.getByText(/NY 11\d{3}/).waitFor();
    const create = button(page, 'Create Challenge');
    expect(await create.isDisabled()).toBe(true);
    await fillForm(page, 'Hear the frogs');
    await create.click();

    // Its window opens, its creator has joined it, and it has a pin and a list entry.
    const createdWindow = page.getByRole('dialog', { name: 'Hear the frogs' });
    await createdWindow.getByText("You're in.").waitFor();
    await createdWindow.getByText('Ongoing').waitFor();
    await list(page).getByText('Hear the frogs').waitFor();
    await button(page, 'Hear the frogs, Hard').waitFor();
    const address = new URL(page.url());

    const [challenge] = await fixture.network
      .client()
      .listChallenges({ query: { scope: 'all', search: 'Hear the frogs' } });
    expect(challenge).toMatchObject({
      points: 30,
      difficulty: 'Hard',
      state: 'NY',
      city: expect.stringMatching(/./),
      zip: expect.stringMatching(/^11/),
      position: { lat: expect.closeTo(40.7, 0), lng: expect.closeTo(-73.8, 0) },
    });

    const bob = await fixture.visit(address.pathname + address.search, phone);
    const bobsWindow = bob.page.getByRole('dialog', { name: 'Hear the frogs' });
    await bobsWindow.getByRole('button', { name: 'Join Challenge!' }).click();
    await bob.page.waitForURL('**/signup');
    await signUp(bob.page, 'bob-on-the-map');
    // The visitor has joined after signing up.
    await bob.page.waitForURL(`**/challenges/${challenge?.id}`);
    await bob.page.getByRole('button', { name: 'Mark as Complete' }).waitFor();
    await eventually(async () => {
      const participations = await fixture.network
        .client()
        .listParticipations({ query: { challengeId: challenge?.id } });
      expect(participations.map(({ user }) => user.username)).toContain('bob-on-the-map');
    });
  });

  it('the form’s window fits between list and controls, and names the difficulties', async () => {
    const { page } = await fixture.visit('/explore', { as: fixture.creator });
    await page.setViewportSize({ width: 1280, height: 800 });
    await list(page).waitFor();
    const mapBox = await boxOf(map(page));
    // A position close to the zoom buttons.
    await map(page).click({ position: { x: mapBox.width - 70, y: 500 } });
    const window = page.getByRole('dialog', { name: 'Create a Challenge' });
    await window.getByText(/NY 1\d{4}/).waitFor();
    await eventually(async () => {
      const zoom = await boxOf(page.locator('.leaflet-control-zoom'));
      const popup = await boxOf(page.locator('.leaflet-popup-content-wrapper'));
      expect(popup.right).toBeLessThan(zoom.x);
      expect(popup.y).toBeGreaterThan(mapBox.y);
      const create = await boxOf(button(page, 'Create Challenge'));
      expect(create.bottom).toBeLessThan(popup.bottom);
    });
    expect(await field(page, 'difficulty').locator('option').allTextContents()).toEqual([
      expect.any(String),
      'Easy',
      'Medium',
      'Hard',
    ]);
  });

  it('keeps the selected position and the form’s text while a visitor signs up', async () => {
    const { page } = await fixture.visit('/explore');
    await map(page).click({ position: { x: 700, y: 500 } });
    await page.getByRole('dialog', { name: 'Create a Challenge' }).waitFor();
    await fillForm(page, 'Read a plaque aloud');
    await button(page, 'Create Challenge').click();
    await page.waitForURL('**/signup');
    await signUp(page, 'cleo-on-the-map');
    await page.waitForURL('**/explore?*spot=*');
    await page
      .getByRole('dialog', { name: 'Create a Challenge' })
      .getByText(/NY 11\d{3}/)
      .waitFor();
    await eventually(async () => expect(await field(page, 'name').inputValue()).toBe('Read a plaque aloud'));
    await button(page, 'Create Challenge').click();
    await page.getByRole('dialog', { name: 'Read a plaque aloud' }).waitFor();
    const [createdWindow] = await fixture.network
      .client()
      .listChallenges({ query: { scope: 'all', search: 'Read a plaque aloud' } });
    expect(createdWindow).toMatchObject({
      city: expect.stringMatching(/./),
      zip: expect.stringMatching(/^11/),
    });
  });

  it('keeps the selected place while a visitor signs up', async () => {
    const { page } = await fixture.visit('/explore?at=40.7459,-73.8467&zoom=15&type=museum');
    await page
      .locator('.leaflet-marker-pane')
      .getByRole('button', { name: /^Queens Museum/ })
      .click();
    await fillForm(page, 'Find your street in the model');
    await button(page, 'Create Challenge').click();
    await page.waitForURL('**/signup');
    await signUp(page, 'dora-on-the-map');
    await page.getByRole('dialog', { name: 'Queens Museum' }).waitFor();
    await button(page, 'Create Challenge').click();
    await page.getByRole('dialog', { name: 'Find your street in the model' }).waitFor();
    const [createdWindow] = await fixture.network
      .client()
      .listChallenges({ query: { scope: 'all', search: 'street in the model' } });
    expect(createdWindow).toMatchObject({ locationName: 'Queens Museum', city: 'Corona', zip: '11368' });
  });

  it('shows the status of a failed address lookup, and fields for the address instead', async () => {
    const { page } = await fixture.visit('/explore', { as: fixture.creator });
    await page.route('**/api/places/reverse*', (route) => route.fulfill({ status: 503, body: 'resting' }));
    await map(page).click({ position: { x: 1000, y: 600 } });
    await page.getByRole('alert').filter({ hasText: '503' }).waitFor();
    await fillForm(page, 'Look up');
    await field(page, 'city').fill('Flushing');
    await field(page, 'state').fill('NY');
    await button(page, 'Create Challenge').click();
    await page.getByRole('dialog', { name: 'Look up' }).waitFor();
    const [challenge] = await fixture.network
      .client()
      .listChallenges({ query: { scope: 'all', search: 'Look up' } });
    expect(challenge).toMatchObject({ city: 'Flushing', state: 'NY' });
  });

  it('centers the map on a position', async () => {
    const { page } = await fixture.visit('/explore');
    await map(page).click({ position: { x: 900, y: 640 } });
    await button(page, 'Set as Map Center').click();
    // The map may pan to make room for the window.
    await page.waitForURL((url) => {
      const [at, spot] = ['at', 'spot'].map((name) => Number(url.searchParams.get(name)?.split(',')[1]));
      return !!at && !!spot && Math.abs(at - spot) < 0.001;
    });
  });

  it('opens a challenge from the list by keyboard, and shows that it has ended', async () => {
    const { page } = await fixture.visit('/explore');
    await pressKey(list(page).getByRole('button', { name: /Count the planes/ }));
    const window = page.getByRole('dialog', { name: 'Count the planes' });
    await window.getByText('Ended', { exact: true }).waitFor();
    await window.getByText('January 1 2020 – December 31 2020').waitFor();
    await window.getByRole('link', { name: 'View challenge' }).click();
    await page.getByRole('heading', { name: 'Count the planes' }).waitFor();
  });

  it('scrolls the whole window into view beside the list', async () => {
    const { page } = await fixture.visit('/explore');
    const listWidth = 352;
    await list(page).waitFor();
    const expectFullyVisible = (name: string) =>
      eventually(async () => {
        const [frame, box] = await Promise.all([
          map(page).boundingBox(),
          page.getByRole('dialog', { name }).boundingBox(),
        ]);
        if (!frame || !box) throw new Error('no window');
        expect(box.x).toBeGreaterThan(frame.x + listWidth);
        expect(box.x + box.width).toBeLessThan(frame.x + frame.width);
        expect(box.y).toBeGreaterThan(frame.y);
        expect(box.y + box.height).toBeLessThan(frame.y + frame.height);
      });
    await list(page)
      .getByRole('button', { name: /Find the carousel/ })
      .click();
    await expectFullyVisible('Find the carousel');
    const initialSize = page.viewportSize() ?? { width: 0, height: 0 };
    await page.setViewportSize({ width: 1000, height: 480 });
    await expectFullyVisible('Find the carousel');
    await page.setViewportSize(initialSize);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await map(page).click({ position: { x: listWidth + 30, y: 150 } });
    await page
      .getByRole('dialog')
      .getByText(/, N[YJ]/)
      .waitFor();
    await expectFullyVisible('Create a Challenge');
  });

  it('on a phone, positions, places and created challenges open in the sheet, with the pin visible above it', async () => {
    const { page } = await fixture.visit('/explore', { as: fixture.creator, ...phone });
    await list(page).waitFor();
    await map(page).tap({ position: { x: 200, y: 530 } });
    const window = page.getByRole('dialog', { name: 'Create a Challenge' });
    await window.getByText(/, N[YJ]/).waitFor();
    await waitForSnapPoint(page, 'half');
    await eventually(async () => {
      const [pin, sheetBox] = [await boxOf(page.getByTitle('Selected location')), await boxOf(sheet(page))];
      expect(pin.bottom).toBeLessThan(sheetBox.y);
      expect(pin.y).toBeGreaterThan(200);
    });
    await field(page, 'name').tap();
    await waitForSnapPoint(page, 'full');
    await button(page, 'Close').tap();

    await button(page, /^Filter/).tap();
    await page.getByLabel('Show Locations by Type').selectOption('museum');
    await button(page, 'Show challenges').tap();
    await pressKey(handle(page), 'ArrowUp');
    await page
      .getByRole('list', { name: 'Places on the map' })
      .getByRole('button', { name: /Queens Museum/ })
      .tap();
    await page.getByRole('dialog', { name: 'Queens Museum' }).waitFor();
    // The place category of the place is known.
    await eventually(async () => expect(await field(page, 'placeCategory').inputValue()).toBe('museum'));
    await fillForm(page, 'Film the panorama');
    await field(page, 'placeCategory').selectOption('cinema');
    await button(page, 'Create Challenge').tap();
    await page.getByRole('dialog', { name: 'Film the panorama' }).getByText("You're in.").waitFor();
    const [createdWindow] = await fixture.network
      .client()
      .listChallenges({ query: { scope: 'all', placeCategory: 'cinema', search: 'Film the panorama' } });
    expect(createdWindow).toMatchObject({ locationName: 'Queens Museum', placeCategory: 'cinema' });
  });

  it('Escape closes a window wherever the focus is, and the focus stays on the map after a cluster is opened', async () => {
    const { page } = await fixture.visit('/explore', { as: fixture.creator });
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    const bob = await newUser(fixture.network);
    const { id } = await newChallenge(bob, {
      name: 'Ring the bell',
      position: { lat: 40.75, lng: -73.8 },
    });
    await page.goto(`/explore?challenge=${id}`);
    const window = page.getByRole('dialog', { name: 'Ring the bell' });
    await pressKey(window.getByRole('button', { name: 'Join Challenge!' }));
    await window.getByText("You're in.").waitFor();
    await eventually(async () => expect(await focused()).toBe("You're in."));
    await page.getByRole('button', { name: 'Zoom in', exact: true }).focus();
    await page.keyboard.press('Escape');
    await window.waitFor({ state: 'detached' });

    await page.goto('/explore?zoom=6');
    await pressKey(button(page, /challenges here\. Zoom in/).first());
    await page.waitForURL((url) => Number(url.searchParams.get('zoom')) > 6);
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement?.className)).toContain('leaflet-container'),
    );
  });
});
