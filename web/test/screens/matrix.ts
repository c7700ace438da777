import { randomBytes } from 'node:crypto';
import { pressKey } from '@wayquest/testing';
import type { Page } from 'playwright-core';
import { signUp } from '../support/sign-up.ts';
import { longName, type SeedData } from './seed.ts';

/** Who opens a screen: somebody without an account, a user who has just signed up, a user with much data, or an admin. */
export type Role = 'visitor' | 'newcomer' | 'regular' | 'admin';

/** How much data there is: none, or a realistic amount. */
export type DataSet = 'empty' | 'full';

type Path = string | ((seed: SeedData) => string);

/** A page in one of its states, as one role sees it. */
export interface Screen {
  /** The path of the route, as in the app's routes. */
  route: string;
  state: string;
  dataSet: DataSet;
  role: Role;
  path: Path;
  /** Runs before the page is opened. */
  prepare?: (page: Page) => Promise<unknown>;
  /** Brings the open page into the state. */
  act?: (page: Page) => Promise<unknown>;
  /** Whether the page stays in its loading state. */
  staysBusy?: boolean;
  /** Console messages that are expected in this state. */
  expectedConsole?: RegExp;
  /** Offline, so another language cannot be loaded. */
  isOffline?: true;
  /** The change to this state must not shift the layout. */
  expectsNoShift?: true;
}

interface State
  extends Pick<Screen, 'prepare' | 'act' | 'staysBusy' | 'expectedConsole' | 'isOffline' | 'expectsNoShift'> {
  /** Default: the route's path. */
  path?: Path;
  /** Default: the route's roles. */
  roles?: Role[];
  dataSets?: DataSet[];
}

interface Route {
  path?: Path;
  roles: Role[];
  dataSets?: DataSet[];
  /** The states beside the initial one. */
  states?: Record<string, State>;
}

/** The state of a page before any action. */
export const initialState = 'initially';
const bothDataSets: DataSet[] = ['empty', 'full'];
const everyone: Role[] = ['visitor', 'newcomer', 'regular'];
const members: Role[] = ['newcomer', 'regular'];

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const press = (name: string | RegExp) => (page: Page) => button(page, name).first().click();

/** Scrolls to a map, which loads once it is visible, and waits until it is drawn. */
const waitForMap = (role: 'link' | 'region', name: string) => async (page: Page) => {
  await page.getByRole(role, { name }).scrollIntoViewIfNeeded();
  await page.locator('canvas').waitFor();
  // It is drawn in parts, and transparent where it is not drawn yet.
  await page.waitForFunction(() => {
    const canvas = document.querySelector('canvas');
    const context = new OffscreenCanvas(32, 32).getContext('2d', { willReadFrequently: true });
    if (!canvas || !context) return false;
    context.drawImage(canvas, 0, 0, 32, 32);
    return context.getImageData(0, 0, 32, 32).data.every((value, index) => index % 4 !== 3 || value === 255);
  });
};

/** Scrolls to the log, which loads once it is visible. */
const scrollToLog = async (page: Page) => {
  await page.locator('#participants-title').scrollIntoViewIfNeeded();
  await page.getByRole('heading', { name: 'Who has been here' }).scrollIntoViewIfNeeded();
};

const apiPath = /\/api\/(?!settings)/;
const accountsPath = /\/auth\/(accounts|invitations)/;

/** Lets auth say who can create an account, and how people log in. */
const withRegistration =
  (registration: string, logins: { openId?: object; passwordLogin?: 'off' } = {}) =>
  (page: Page) =>
    page.route('**/auth/registration', (route) => route.fulfill({ json: { registration, ...logins } }));

/** A provider whose people need no other permission for an account. */
const openId = { name: 'The hiking club of the Northern Hills', signUp: true };

/** Lets auth say whether the member has linked a login of a provider. */
const withOpenId = (linked: 'linked' | 'not-linked') => async (page: Page) => {
  await withRegistration('open', { openId })(page);
  await page.route('**/auth/account', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), openId: linked } });
  });
};

const loading: State = {
  staysBusy: true,
  roles: ['regular'],
  dataSets: ['full'],
  prepare: (page) => page.route(apiPath, () => new Promise(() => {})),
};

const failed: State = {
  roles: ['regular'],
  dataSets: ['full'],
  prepare: (page) => page.route(apiPath, (route) => route.fulfill({ status: 500, body: 'broken' })),
  expectedConsole: /status of 500|names on the map/,
};

const loadingStates = { loading, failed };

/** Takes only this page offline: others share its context. */
const goOffline = async (page: Page) => {
  const session = await page.context().newCDPSession(page);
  const unthrottled = { latency: 0, downloadThroughput: 0, uploadThroughput: 0 };
  await session.send('Network.emulateNetworkConditions', { offline: true, ...unthrottled });
};
const offlineError = /ERR_INTERNET_DISCONNECTED/;

/** Shortens the ranking to a number of users. */
const withPodium =
  (count: number): State['prepare'] =>
  async (page) => {
    await page.route(/\/api\/leaderboard/, async (route) => {
      const response = await route.fetch();
      const ranking = await response.json();
      await route.fulfill({
        response,
        json: {
          ...ranking,
          podium: ranking.podium.slice(0, count),
          rows: ranking.rows.slice(0, count),
          pages: 1,
          total: count,
        },
      });
    });
  };

const submit = (username: string, password: string, name: string) => async (page: Page) => {
  const form = page.locator('form');
  await form.locator('[name="username"]').fill(username);
  await form.locator('[name="password"]').fill(password);
  await form.getByRole('button', { name, exact: true }).click();
  await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor();
};

/** Runs in the page: its token is not stored, so that other pages of the context stay logged out. */
function isolateToken() {
  const { getItem, setItem } = Storage.prototype;
  let token: string | null = null;
  Storage.prototype.getItem = function (key) {
    return key === 'token' ? token : getItem.call(this, key);
  };
  Storage.prototype.setItem = function (key, value) {
    if (key === 'token') token = value;
    else setItem.call(this, key, value);
  };
}

/** Signs up, and goes a number of steps through the welcome pages. */
const signUpAndSkip = (taps: number) => async (page: Page) => {
  await signUp(page, `new-${randomBytes(5).toString('hex')}`);
  await button(page, 'Skip').waitFor();
  for (const name of ['Skip', 'Show three challenges'].slice(0, taps)) await press(name)(page);
  if (taps === 2) await page.locator('section li article').nth(2).waitFor();
};

const waitForDialog = (page: Page) => page.getByRole('dialog').waitFor();

/** Every route with its roles and states. The checks and the screenshots use this matrix. */
const routes: Record<string, Route> = {
  '/': { roles: ['visitor'], dataSets: ['full'] },
  '/home': {
    roles: everyone,
    dataSets: ['full'],
    states: {
      ...loadingStates,
      'menu open': {
        roles: members,
        act: async (page) => {
          await press(/'s menu/)(page);
          await page.getByRole('link', { name: 'Friend Requests' }).waitFor();
        },
      },
      'without challenges': { roles: ['visitor'], dataSets: ['empty'] },
      'map of open challenges': { roles: ['visitor'], act: waitForMap('link', 'Explore the map') },
      ...Object.fromEntries(
        ['welcome: town', 'welcome: interests', 'welcome: suggestions'].map((state, taps) => [
          state,
          {
            path: '/signup',
            roles: ['visitor'] satisfies Role[],
            prepare: (page: Page) => page.addInitScript(isolateToken),
            act: signUpAndSkip(taps),
          },
        ]),
      ),
    },
  },
  '/explore': {
    roles: everyone,
    states: {
      ...loadingStates,
      'map settings failed': {
        roles: ['visitor'],
        dataSets: ['full'],
        prepare: (page) =>
          page.route('**/api/settings', (route) => route.fulfill({ status: 500, body: 'broken' })),
        expectedConsole: /status of 500/,
      },
      'challenge dialog': {
        path: ({ challenge }) => `/explore?challenge=${challenge.upcoming}`,
        dataSets: ['full'],
        act: (page) => page.getByRole('dialog').getByText('Opens on').waitFor(),
      },
      'spot dialog': { path: '/explore?spot=40.7461,-73.8447', dataSets: ['full'], act: waitForDialog },
      'place dialog': {
        path: '/explore?at=40.7459,-73.8467&zoom=15&type=museum',
        roles: ['visitor'],
        dataSets: ['full'],
        act: async (page) => {
          const museum = page.locator('.leaflet-marker-pane').getByRole('button', { name: /^Queens Museum/ });
          // More places may appear between mouse down and mouse up.
          await pressKey(museum);
          await waitForDialog(page);
        },
      },
      'no places of the type': {
        path: '/explore?at=40.6,-73.2&zoom=16&type=restaurant',
        roles: ['visitor'],
        dataSets: ['full'],
        act: (page) => page.getByText('No restaurants found here.').waitFor(),
      },
      suggestions: {
        roles: ['visitor'],
        dataSets: ['full'],
        act: async (page) => {
          await page.getByPlaceholder('Enter an address').pressSequentially('Flush');
          await page.locator('[role="listbox"] [role="option"]').first().waitFor();
        },
      },
      'no suggestion': {
        roles: ['visitor'],
        dataSets: ['full'],
        act: async (page) => {
          await page.getByPlaceholder('Enter an address').fill('qqqqqq');
          await page.getByText('No results.').waitFor();
        },
      },
      'no search results': { path: '/explore?search=qqqqqq', roles: ['regular'], dataSets: ['full'] },
    },
  },
  '/challenges': {
    roles: everyone,
    states: {
      ...loadingStates,
      'of one place category': { path: '/challenges?placeCategory=park', dataSets: ['full'] },
      'filters open': {
        roles: ['visitor'],
        dataSets: ['full'],
        act: async (page) => {
          await page.setViewportSize({ width: 390, height: 844 });
          await press('Filter and sort')(page);
          await waitForDialog(page);
          await page.locator('[name="filter-difficulty"]').selectOption('Easy');
        },
      },
      filtered: {
        roles: ['visitor'],
        dataSets: ['full'],
        path: '/challenges?phase=open&difficulty=Easy',
      },
      'form open': { path: '/challenges#add-a-challenge', roles: ['regular'], dataSets: ['full'] },
      ended: { path: '/challenges?phase=ended', dataSets: ['full'] },
      'no results': { path: '/challenges?search=qqqqqq', dataSets: ['full'] },
    },
  },
  '/challenges/:id': {
    path: ({ challenge }) => `/challenges/${challenge.popular}`,
    roles: everyone,
    dataSets: ['full'],
    states: {
      ...loadingStates,
      'not started': { path: ({ challenge }) => `/challenges/${challenge.upcoming}` },
      ended: { path: ({ challenge }) => `/challenges/${challenge.ended}`, roles: ['visitor'] },
      'with only a name': { path: ({ challenge }) => `/challenges/${challenge.minimal}`, roles: ['visitor'] },
      joined: { path: ({ challenge }) => `/challenges/${challenge.joined}`, roles: ['regular'] },
      'with hidden participants': {
        path: ({ challenge }) => `/challenges/${challenge.withHiddenParticipants}`,
        roles: ['visitor'],
      },
      completed: { path: ({ challenge }) => `/challenges/${challenge.completed}`, roles: ['regular'] },
      'editing a log entry': {
        path: ({ challenge }) => `/challenges/${challenge.completed}`,
        roles: ['regular'],
        act: async (page) => {
          await scrollToLog(page);
          await press('Edit your note and photo')(page);
        },
      },
      'with the log': { roles: members, act: scrollToLog },
      'with an enlarged photo of the log': {
        path: ({ challenge }) => `/challenges/${challenge.completed}`,
        roles: ['regular'],
        act: async (page) => {
          await scrollToLog(page);
          await press(/^Photo by/)(page);
          await waitForDialog(page);
        },
      },
      'with a check-in': {
        path: ({ challenge }) => `/challenges/${challenge.checkedIn}`,
        roles: ['regular'],
      },
      'joining offline': {
        roles: ['newcomer'],
        act: async (page) => {
          await goOffline(page);
          await press('Join Challenge!')(page);
          await page.getByText("Can't reach Wayquest").waitFor();
        },
        // The map of the place may still be loading.
        expectedConsole:
          /ERR_INTERNET_DISCONNECTED|Could not load detailed water|of the map could not be drawn|WebSocket is closed/,
        isOffline: true,
        expectsNoShift: true,
      },
      'delete dialog': {
        roles: ['admin'],
        act: async (page) => {
          await press('Delete Challenge')(page);
          await waitForDialog(page);
        },
      },
      'report dialog': {
        roles: ['newcomer'],
        act: async (page) => {
          await press(/^Report/)(page);
          await waitForDialog(page);
        },
      },
      'not found': {
        path: '/challenges/999999999',
        roles: ['visitor', 'newcomer'],
        expectedConsole: /status of 404/,
      },
    },
  },
  '/challenges/:id/edit': {
    path: ({ challenge }) => `/challenges/${challenge.own}/edit`,
    roles: ['regular'],
    dataSets: ['full'],
    states: {
      ...loadingStates,
      'delete dialog': {
        act: async (page) => {
          await press('Delete my challenge')(page);
          await waitForDialog(page);
        },
      },
      'end date before start date': {
        act: async (page) => {
          await page.locator('[name="startDate"]').fill('2098-02-02');
          await page.locator('[name="endDate"]').fill('2098-01-01');
          await page.getByText('The end date is before the start date.').waitFor();
        },
      },
    },
  },
  '/leaderboard': {
    roles: everyone,
    states: {
      ...loadingStates,
      'middle page': { path: '/leaderboard?page=5', dataSets: ['full'] },
      friends: { path: '/leaderboard?filter=friends', roles: members, dataSets: ['full'] },
      'town ranking': { path: '/leaderboard?filter=town', roles: members, dataSets: ['full'] },
      'monthly ranking': { path: '/leaderboard?period=month', roles: ['visitor', 'regular'] },
      'with one user': { roles: ['visitor'], dataSets: ['full'], prepare: withPodium(1) },
      'with two users': { roles: ['visitor'], dataSets: ['full'], prepare: withPodium(2) },
    },
  },
  '/notifications': { roles: members, states: loadingStates },
  '/decisions': { roles: members, states: loadingStates },
  '/moderation': {
    roles: ['admin'],
    dataSets: ['full'],
    states: {
      loading: { ...loading, roles: ['admin'] },
      failed: { ...failed, roles: ['admin'] },
      'without permission': { roles: ['newcomer'] },
      'case open': {
        act: async (page) => {
          await page
            .getByRole('link', { name: /report/ })
            .first()
            .click();
          await button(page, 'Suspend').waitFor();
        },
      },
      'points review': { path: '/moderation?queue=points' },
      'revoke dialog': {
        path: '/moderation?queue=points',
        act: async (page) => {
          await button(page, 'Revoke').first().click();
          await waitForDialog(page);
        },
      },
    },
  },
  '/admin/accounts': {
    roles: ['admin'],
    dataSets: ['full'],
    states: {
      loading: {
        staysBusy: true,
        prepare: (page) => page.route(accountsPath, () => new Promise(() => {})),
      },
      failed: {
        prepare: (page) =>
          page.route(accountsPath, (route) => route.fulfill({ status: 500, body: 'broken' })),
        expectedConsole: /status of 500/,
      },
      'without permission': { roles: ['newcomer'] },
      'nobody found': { path: '/admin/accounts?search=nobody-at-all' },
      'account open': {
        act: async (page) => {
          await page.getByText('Manage', { exact: true }).first().click();
          await button(page, 'Suspend').first().waitFor();
        },
      },
      'suspend dialog': {
        act: async (page) => {
          await page.getByText('Manage', { exact: true }).first().click();
          await button(page, 'Suspend').first().click();
          await waitForDialog(page);
        },
      },
      'account created': {
        act: async (page) => {
          await page.locator('[name="username"]').fill(`made-${randomBytes(6).toString('hex')}`);
          await button(page, 'Create account').click();
          await button(page, 'Copy').waitFor();
        },
      },
      'invitation created': {
        act: async (page) => {
          await button(page, 'Create invitation').click();
          await button(page, 'Copy').waitFor();
        },
      },
    },
  },
  '/appeal': { roles: ['visitor'], dataSets: ['full'] },
  '/libraries': { roles: ['visitor'], dataSets: ['full'] },
  '/rules': { roles: ['visitor'], dataSets: ['full'], states: loadingStates },
  '/privacy': { roles: ['visitor'], dataSets: ['full'] },
  '/imprint': { roles: ['visitor'], dataSets: ['full'] },
  '/contact': { roles: ['visitor'], dataSets: ['full'] },
  '/login': {
    roles: ['visitor'],
    dataSets: ['full'],
    states: {
      rejected: { act: submit('nobody', 'not my password', 'Login'), expectedConsole: /status of 401/ },
      'no passkey': {
        act: async (page) => {
          await press('Log in with a passkey')(page);
          await page.getByText("Your browser didn't provide a passkey.").waitFor();
        },
      },
      'with a provider': { prepare: withRegistration('open', { openId }) },
      'without passwords': { prepare: withRegistration('closed', { openId, passwordLogin: 'off' }) },
    },
  },
  '/forgot': {
    roles: ['visitor'],
    dataSets: ['full'],
    states: {
      sent: {
        act: async (page) => {
          await page.getByLabel('Email').fill('nobody@wayquest.example');
          await press('Send link')(page);
          await page.getByText("we've sent it a reset link").waitFor();
        },
      },
    },
  },
  '/reset': {
    roles: ['visitor'],
    dataSets: ['full'],
    states: {
      rejected: {
        path: '/reset#token=used-already',
        act: async (page) => {
          await page.locator('[name="password"]').fill('a long enough password');
          await press('Set password')(page);
          await page.getByText('That link has already been used').waitFor();
        },
        expectedConsole: /status of 401/,
      },
    },
  },
  '/confirm-email': {
    roles: ['visitor'],
    dataSets: ['full'],
    states: {
      rejected: {
        path: '/confirm-email#token=used-already',
        act: async (page) => {
          await press('Confirm')(page);
          await page.getByText('That link has already been used').waitFor();
        },
        expectedConsole: /status of 401/,
      },
    },
  },
  '/signup': {
    roles: ['visitor'],
    dataSets: ['full'],
    states: {
      'username taken': {
        act: submit(longName, 'not my password', 'Sign Up'),
        expectedConsole: /status of 409/,
      },
      'with approval': { prepare: withRegistration('approval') },
      'with invitation': { prepare: withRegistration('invitation') },
      closed: { prepare: withRegistration('closed') },
      'with a provider': { prepare: withRegistration('open', { openId }) },
      'without passwords': { prepare: withRegistration('closed', { openId, passwordLogin: 'off' }) },
      waiting: { path: '/signup#waiting' },
    },
  },
  '/profile': {
    roles: members,
    dataSets: ['full'],
    states: {
      ...loadingStates,
      'form open': { path: '/profile#update-title' },
      changed: {
        path: '/profile#update-title',
        roles: ['newcomer'],
        act: (page) => page.getByRole('combobox', { name: 'City' }).fill('Flushing'),
      },
      'trail map': { roles: ['regular'], act: waitForMap('region', 'Trail book') },
      'just completed': {
        path: ({ challenge }) => `/challenges/${challenge.minimal}`,
        roles: ['newcomer'],
        act: async (page) => {
          await press('Join Challenge!')(page);
          await press('Mark as Complete')(page);
          const dialog = page.getByRole('dialog');
          await dialog.getByText(/^Rank/).waitFor();
          await dialog.getByRole('listitem').first().waitFor();
        },
      },
    },
  },
  '/settings': {
    roles: members,
    dataSets: ['full'],
    states: {
      loading: { ...loading, path: '/settings#login' },
      failed: { ...failed, path: '/settings#login' },
      ...Object.fromEntries(
        ['general', 'privacy', 'messages', 'login', 'account'].map((group) => [
          group,
          { path: `/settings#${group}` },
        ]),
      ),
      'log-out dialog': {
        path: '/settings#login',
        roles: ['newcomer'],
        act: async (page) => {
          await press('Log out of all devices')(page);
          await waitForDialog(page);
        },
      },
      'data export ready': {
        path: '/settings#account',
        roles: ['newcomer'],
        act: async (page) => {
          await press('Request my data')(page);
          await page.getByText('Ready to download until').waitFor();
        },
      },
      'passkey dialog': {
        path: '/settings#login',
        roles: ['newcomer'],
        act: async (page) => {
          await press('Add a passkey')(page);
          await waitForDialog(page);
        },
      },
      'provider not linked': {
        path: '/settings#login',
        roles: ['newcomer'],
        prepare: withOpenId('not-linked'),
      },
      'provider linked': { path: '/settings#login', roles: ['newcomer'], prepare: withOpenId('linked') },
      'Google dialog': {
        path: '/settings#login',
        roles: ['newcomer'],
        act: async (page) => {
          await press('Link Google')(page);
          await waitForDialog(page);
        },
      },
      'deletion dialog': {
        path: '/settings#account',
        roles: ['newcomer'],
        act: async (page) => {
          await press('Delete my account')(page);
          await waitForDialog(page);
        },
      },
    },
  },
  '/users': {
    roles: members,
    states: {
      ...loadingStates,
      found: { path: '/users?search=wolfe', dataSets: ['full'] },
      'no users found': { path: '/users?search=qqqqqq', dataSets: ['full'] },
    },
  },
  '/users/:id': {
    path: ({ stranger }) => `/users/${stranger.me.id}`,
    roles: members,
    dataSets: ['full'],
    states: {
      ...loadingStates,
      friend: { path: ({ friend }) => `/users/${friend.me.id}`, roles: ['regular'] },
      'unfriend dialog': {
        path: ({ friend }) => `/users/${friend.me.id}`,
        roles: ['regular'],
        act: async (page) => {
          await press('Remove friend')(page);
          await waitForDialog(page);
        },
      },
      'block dialog': {
        act: async (page) => {
          await press(/^Block /)(page);
          await waitForDialog(page);
        },
      },
      private: { path: ({ privateUser }) => `/users/${privateUser.me.id}`, roles: ['regular'] },
      'friend request received': { path: ({ requester }) => `/users/${requester.me.id}`, roles: ['regular'] },
      'friend request sent': { path: ({ requested }) => `/users/${requested.me.id}`, roles: ['regular'] },
      'own profile': { path: ({ regular }) => `/users/${regular.me.id}`, roles: ['regular'] },
      'not found': {
        path: '/users/999999999',
        roles: ['newcomer'],
        act: (page) => page.getByRole('heading', { level: 1 }).waitFor(),
        expectedConsole: /status of 404/,
      },
    },
  },
  '/friends': { roles: members, dataSets: ['full'], states: loadingStates },
  '/FriendsInvitation': { roles: members, dataSets: ['full'], states: loadingStates },
  '/pendingFriendRequests': { roles: ['regular'], dataSets: ['full'] },
  '*': { path: '/there/is/no/such/page', roles: ['visitor', 'newcomer'], dataSets: ['full'] },
  '/messenger/:id?': {
    path: '/messenger',
    roles: members,
    dataSets: ['full'],
    states: {
      ...loadingStates,
      'long conversation': {
        path: ({ conversation }) => `/messenger/${conversation.long}`,
        roles: ['regular'],
      },
      'empty conversation': {
        path: ({ conversation }) => `/messenger/${conversation.empty}`,
        roles: ['regular'],
      },
      'conversation with a former friend': {
        path: ({ conversation }) => `/messenger/${conversation.unfriended}`,
        roles: ['regular'],
      },
      offline: {
        path: ({ conversation }) => `/messenger/${conversation.long}`,
        roles: ['regular'],
        act: async (page) => {
          await goOffline(page);
          await page.getByPlaceholder('write something...').fill('Is anybody there?');
          await page.keyboard.press('Enter');
          await page.getByText("Will be sent when you're online").waitFor();
          await page.getByText('Connection lost').waitFor({ state: 'attached' });
        },
        expectedConsole: offlineError,
        isOffline: true,
      },
      'list offline': {
        roles: ['regular'],
        act: async (page) => {
          await goOffline(page);
          await page.getByText('Connection lost').waitFor();
        },
        expectedConsole: offlineError,
        isOffline: true,
        expectsNoShift: true,
      },
      'conversation read offline': {
        path: ({ conversation }) => `/messenger/${conversation.long}`,
        roles: ['regular'],
        act: async (page) => {
          await goOffline(page);
          await page.getByText('Connection lost').waitFor({ state: 'attached' });
        },
        expectedConsole: offlineError,
        isOffline: true,
        expectsNoShift: true,
      },
      'not found': { path: '/messenger/999999999', roles: ['regular'] },
    },
  },
};

/** The matrix: one screen for each route, state, data set and role. */
export const screens: Screen[] = Object.entries(routes).flatMap(
  ([route, { path = route, states, ...defaults }]) =>
    Object.entries<State>({ [initialState]: {}, ...states }).flatMap(
      ([state, { roles, dataSets, ...overrides }]) =>
        (dataSets ?? defaults.dataSets ?? bothDataSets).flatMap((dataSet) =>
          (roles ?? defaults.roles)
            .filter((role) => dataSet === 'full' || role === 'visitor' || role === 'newcomer')
            .map((role): Screen => ({ path, ...overrides, route, state, dataSet: dataSet, role: role })),
        ),
    ),
);

/** Returns the title of a screen for test reports. */
export const titleOf = ({ route, state, dataSet, role }: Screen): string =>
  `${route} ${state}, as ${role}, ${dataSet}`;
