import { randomBytes } from 'node:crypto';
import { pressOn } from '@wayquest/testing';
import type { Page } from 'playwright-core';
import { signUp } from '../support/sign-up.ts';
import { type FullTown, longName } from './town.ts';

/** Who looks: nobody known, somebody who has just signed up, somebody with much of everything, an admin. */
export type Who = 'visitor' | 'newcomer' | 'regular' | 'admin';

/** How much there is: nothing yet, or as much as people will meet one day. */
export type World = 'empty' | 'full';

type Path = string | ((town: FullTown) => string);

/** A page in one of its states, as one person sees it. */
export interface Screen {
  /** As the app's table of routes writes it. */
  route: string;
  state: string;
  world: World;
  who: Who;
  path: Path;
  /** Before the page is opened. */
  before?: (page: Page) => Promise<unknown>;
  /** Once it is open: what makes the state. */
  act?: (page: Page) => Promise<unknown>;
  /** Whether something stays on its way. */
  waits?: boolean;
  /** What the console may say in this state. */
  says?: RegExp;
  /** Sentences of another language do not come any more. */
  isOffline?: true;
  /** Nothing that is there moves when the state comes about. */
  staysStill?: true;
}

interface State extends Pick<Screen, 'before' | 'act' | 'waits' | 'says' | 'isOffline' | 'staysStill'> {
  /** If it is not the route's. */
  path?: Path;
  /** If they are not all of the route's. */
  who?: Who[];
  worlds?: World[];
}

interface Route {
  path?: Path;
  who: Who[];
  worlds?: World[];
  /** Beside the page as it opens. */
  states?: Record<string, State>;
}

/** The state of a page with which nothing was done. */
export const asItOpens = 'as it opens';
const bothWorlds: World[] = ['empty', 'full'];
const everyone: Who[] = ['visitor', 'newcomer', 'regular'];
const members: Who[] = ['newcomer', 'regular'];

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const press = (name: string | RegExp) => (page: Page) => button(page, name).first().click();

/** A map of a page comes once it is in sight. */
const theMap = (role: 'link' | 'region', name: string) => async (page: Page) => {
  await page.getByRole(role, { name }).scrollIntoViewIfNeeded();
  await page.locator('canvas').waitFor();
  // It is drawn in pieces.
  await page.waitForFunction(() => {
    const canvas = document.querySelector('canvas');
    const pen = new OffscreenCanvas(32, 32).getContext('2d', { willReadFrequently: true });
    if (!canvas || !pen) return false;
    pen.drawImage(canvas, 0, 0, 32, 32);
    return new Set(new Uint32Array(pen.getImageData(0, 0, 32, 32).data.buffer)).size > 2;
  });
};

/** It is loaded once it is near, and each of its photos, too. */
const theLog = async (page: Page) => {
  await page.locator('#participants-title').scrollIntoViewIfNeeded();
  await page.getByRole('heading', { name: 'Log' }).scrollIntoViewIfNeeded();
};

const api = /\/api\/(?!settings)/;

const loading: State = {
  waits: true,
  who: ['regular'],
  worlds: ['full'],
  before: (page) => page.route(api, () => new Promise(() => {})),
};

const failed: State = {
  who: ['regular'],
  worlds: ['full'],
  before: (page) => page.route(api, (route) => route.fulfill({ status: 500, body: 'broken' })),
  says: /status of 500|names on the map did not come/,
};

const whileLoading = { loading, failed };

/** For this page alone: others of the same person go on. */
const goOffline = async (page: Page) => {
  const session = await page.context().newCDPSession(page);
  const nothing = { latency: 0, downloadThroughput: 0, uploadThroughput: 0 };
  await session.send('Network.emulateNetworkConditions', { offline: true, ...nothing });
};
const out = /ERR_INTERNET_DISCONNECTED/;

/** Answers a read with some of what it would hold. */
const podiumOf =
  (count: number): State['before'] =>
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

const type = (label: string, text: string) => async (page: Page) => {
  await page.getByLabel(label).fill(text);
};

const send = (username: string, password: string, name: string) => async (page: Page) => {
  const form = page.locator('form');
  await form.locator('[name="username"]').fill(username);
  await form.locator('[name="password"]').fill(password);
  await form.getByRole('button', { name, exact: true }).click();
  await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor();
};

/** In the page: those of one person share what a browser keeps, and this one must not make members of the others. */
function keepTokenAlone() {
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

/** A new member, so many taps after they have signed up. */
const welcomed = (taps: number) => async (page: Page) => {
  await signUp(page, `new-${randomBytes(5).toString('hex')}`);
  await button(page, 'Skip').waitFor();
  for (const name of ['Skip', 'Show three challenges'].slice(0, taps)) await press(name)(page);
  if (taps === 2) await page.locator('section li article').nth(2).waitFor();
};

const aWindow = (page: Page) => page.getByRole('dialog').waitFor();

/** Every route, who sees it and in which states: the one table that the checks and the screenshots go by. */
const routes: Record<string, Route> = {
  '/': { who: ['visitor'], worlds: ['full'] },
  '/home': {
    who: everyone,
    worlds: ['full'],
    states: {
      ...whileLoading,
      'menu open': {
        who: members,
        act: async (page) => {
          await press(/'s menu/)(page);
          await page.getByRole('link', { name: 'Friend Requests' }).waitFor();
        },
      },
      'with nothing yet': { who: ['visitor'], worlds: ['empty'] },
      'map of what is open': { who: ['visitor'], act: theMap('link', 'Explore the map') },
      ...Object.fromEntries(
        ['asked where', 'asked what they like', 'shown three'].map((state, taps) => [
          state,
          {
            path: '/signup',
            who: ['visitor'] satisfies Who[],
            before: (page: Page) => page.addInitScript(keepTokenAlone),
            act: welcomed(taps),
          },
        ]),
      ),
    },
  },
  '/explore': {
    who: everyone,
    states: {
      ...whileLoading,
      'maps failed': {
        who: ['visitor'],
        worlds: ['full'],
        before: (page) =>
          page.route('**/api/settings', (route) => route.fulfill({ status: 500, body: 'broken' })),
        says: /status of 500/,
      },
      'window of a challenge': {
        path: ({ challenge }) => `/explore?challenge=${challenge.upcoming}`,
        worlds: ['full'],
        act: (page) => page.getByRole('dialog').getByText('Opens on').waitFor(),
      },
      'window of a spot': { path: '/explore?spot=40.7461,-73.8447', worlds: ['full'], act: aWindow },
      'window of a place': {
        path: '/explore?at=40.7459,-73.8467&zoom=15&type=museum',
        who: ['visitor'],
        worlds: ['full'],
        act: async (page) => {
          const museum = page.locator('.leaflet-marker-pane').getByRole('button', { name: /^Queens Museum/ });
          // More places may come between the button going down and up.
          await pressOn(museum);
          await aWindow(page);
        },
      },
      'no such place type': {
        path: '/explore?at=40.6,-73.2&zoom=16&type=restaurant',
        who: ['visitor'],
        worlds: ['full'],
        act: (page) => page.getByText('No restaurants found here.').waitFor(),
      },
      suggestions: {
        who: ['visitor'],
        worlds: ['full'],
        act: async (page) => {
          await page.getByPlaceholder('Enter an address').pressSequentially('Flush');
          await page.locator('[role="listbox"] [role="option"]').first().waitFor();
        },
      },
      'no suggestion': {
        who: ['visitor'],
        worlds: ['full'],
        act: async (page) => {
          await page.getByPlaceholder('Enter an address').fill('qqqqqq');
          await page.getByText('No results.').waitFor();
        },
      },
      'all filtered out': { path: '/explore?search=qqqqqq', who: ['regular'], worlds: ['full'] },
    },
  },
  '/challenges': {
    who: everyone,
    states: {
      ...whileLoading,
      'of a kind': { path: '/challenges?scene=park', worlds: ['full'] },
      'filters unfolded': {
        who: ['visitor'],
        worlds: ['full'],
        act: async (page) => {
          await page.setViewportSize({ width: 390, height: 844 });
          await press('Filter and sort')(page);
          await aWindow(page);
          await page.locator('[name="filter-difficulty"]').selectOption('Easy');
        },
      },
      filtered: {
        who: ['visitor'],
        worlds: ['full'],
        path: '/challenges?phase=open&difficulty=Easy',
      },
      'form open': { path: '/challenges#add-a-challenge', who: ['regular'], worlds: ['full'] },
      'ended ones': { path: '/challenges?phase=ended', worlds: ['full'] },
      'none found': { path: '/challenges?search=qqqqqq', worlds: ['full'] },
    },
  },
  '/challenges/:id': {
    path: ({ challenge }) => `/challenges/${challenge.crowded}`,
    who: everyone,
    worlds: ['full'],
    states: {
      ...whileLoading,
      'not begun': { path: ({ challenge }) => `/challenges/${challenge.upcoming}` },
      ended: { path: ({ challenge }) => `/challenges/${challenge.ended}`, who: ['visitor'] },
      'with a name alone': { path: ({ challenge }) => `/challenges/${challenge.bare}`, who: ['visitor'] },
      joined: { path: ({ challenge }) => `/challenges/${challenge.joined}`, who: ['regular'] },
      'with participants unseen': {
        path: ({ challenge }) => `/challenges/${challenge.unseen}`,
        who: ['visitor'],
      },
      completed: { path: ({ challenge }) => `/challenges/${challenge.completed}`, who: ['regular'] },
      'writing in the log': {
        path: ({ challenge }) => `/challenges/${challenge.completed}`,
        who: ['regular'],
        act: async (page) => {
          await theLog(page);
          await press('Edit your note and photo')(page);
        },
      },
      'with its log': { who: members, act: theLog },
      'with a photo of the log enlarged': {
        path: ({ challenge }) => `/challenges/${challenge.completed}`,
        who: ['regular'],
        act: async (page) => {
          await theLog(page);
          await press(/^Photo by/)(page);
          await aWindow(page);
        },
      },
      'asking for a check-in': {
        path: ({ challenge }) => `/challenges/${challenge.checkedIn}`,
        who: ['regular'],
      },
      'joining offline': {
        who: ['newcomer'],
        act: async (page) => {
          await goOffline(page);
          await press('Join Challenge!')(page);
          await page.getByText("Can't reach Wayquest").waitFor();
        },
        // The map of the place, which may still be loading.
        says: /ERR_INTERNET_DISCONNECTED|The water did not come|of the map was not drawn|WebSocket is closed/,
        isOffline: true,
        staysStill: true,
      },
      'asked whether to delete': {
        who: ['admin'],
        act: async (page) => {
          await press('Delete Challenge')(page);
          await aWindow(page);
        },
      },
      'asked why it is reported': {
        who: ['newcomer'],
        act: async (page) => {
          await press(/^Report/)(page);
          await aWindow(page);
        },
      },
      'not there': { path: '/challenges/999999999', who: ['visitor', 'newcomer'], says: /status of 404/ },
    },
  },
  '/challenges/:id/edit': {
    path: ({ challenge }) => `/challenges/${challenge.own}/edit`,
    who: ['regular'],
    worlds: ['full'],
    states: {
      ...whileLoading,
      'asked whether to delete': {
        act: async (page) => {
          await press('Delete my challenge')(page);
          await aWindow(page);
        },
      },
      'out of order': {
        act: async (page) => {
          await page.locator('[name="startDate"]').fill('2098-02-02');
          await page.locator('[name="endDate"]').fill('2098-01-01');
          await page.getByText('The end date is before the start date.').waitFor();
        },
      },
    },
  },
  '/leaderboard': {
    who: everyone,
    states: {
      ...whileLoading,
      'a page in the middle': { path: '/leaderboard?page=5', worlds: ['full'] },
      friends: { path: '/leaderboard?filter=friends', who: members, worlds: ['full'] },
      'of the town': { path: '/leaderboard?filter=town', who: members, worlds: ['full'] },
      'of this month': { path: '/leaderboard?period=month', who: ['visitor', 'regular'] },
      'one person': { who: ['visitor'], worlds: ['full'], before: podiumOf(1) },
      'two people': { who: ['visitor'], worlds: ['full'], before: podiumOf(2) },
    },
  },
  '/notifications': { who: members, states: whileLoading },
  '/decisions': { who: members, states: whileLoading },
  '/moderation': {
    who: ['admin'],
    worlds: ['full'],
    states: {
      loading: { ...loading, who: ['admin'] },
      failed: { ...failed, who: ['admin'] },
      'for others': { who: ['newcomer'] },
      'a case': {
        act: async (page) => {
          await page
            .getByRole('link', { name: /report/ })
            .first()
            .click();
          await button(page, 'Suspend').waitFor();
        },
      },
      'points to review': { path: '/moderation?queue=points' },
      'why points are revoked': {
        path: '/moderation?queue=points',
        act: async (page) => {
          await button(page, 'Revoke').first().click();
          await aWindow(page);
        },
      },
    },
  },
  '/appeal': { who: ['visitor'], worlds: ['full'] },
  '/libraries': { who: ['visitor'], worlds: ['full'] },
  '/login': {
    who: ['visitor'],
    worlds: ['full'],
    states: {
      refused: { act: send('nobody', 'not my password', 'Login'), says: /status of 401/ },
      'without a passkey': {
        act: async (page) => {
          await press('Log in with a passkey')(page);
          await page.getByText("Your browser didn't provide a passkey.").waitFor();
        },
      },
    },
  },
  '/forgot': {
    who: ['visitor'],
    worlds: ['full'],
    states: {
      sent: {
        act: async (page) => {
          await type('Email', 'nobody@wayquest.example')(page);
          await press('Send link')(page);
          await page.getByText("we've sent it a reset link").waitFor();
        },
      },
    },
  },
  '/reset': {
    who: ['visitor'],
    worlds: ['full'],
    states: {
      refused: {
        path: '/reset#token=used-already',
        act: async (page) => {
          await page.locator('[name="password"]').fill('a long enough password');
          await press('Set password')(page);
          await page.getByText('That link has already been used').waitFor();
        },
        says: /status of 401/,
      },
    },
  },
  '/confirm-email': {
    who: ['visitor'],
    worlds: ['full'],
    states: {
      refused: {
        path: '/confirm-email#token=used-already',
        act: async (page) => {
          await press('Confirm')(page);
          await page.getByText('That link has already been used').waitFor();
        },
        says: /status of 401/,
      },
    },
  },
  '/signup': {
    who: ['visitor'],
    worlds: ['full'],
    states: {
      'name taken': { act: send(longName, 'not my password', 'Sign Up'), says: /status of 409/ },
    },
  },
  '/profile': {
    who: members,
    worlds: ['full'],
    states: {
      ...whileLoading,
      changed: { who: ['newcomer'], act: type('City', 'Flushing') },
      'map of where one was': { who: ['regular'], act: theMap('region', 'Trail book') },
      'just completed': {
        path: ({ challenge }) => `/challenges/${challenge.bare}`,
        who: ['newcomer'],
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
    who: members,
    worlds: ['full'],
    states: {
      ...whileLoading,
      'asked whether to log out everywhere': {
        who: ['newcomer'],
        act: async (page) => {
          await press('Log out of all devices')(page);
          await aWindow(page);
        },
      },
      'with their data ready': {
        who: ['newcomer'],
        act: async (page) => {
          await press('Request my data')(page);
          await page.getByText('Ready to download until').waitFor();
        },
      },
      'asked for the name of a passkey': {
        who: ['newcomer'],
        act: async (page) => {
          await press('Add a passkey')(page);
          await aWindow(page);
        },
      },
      'asked whether to link Google': {
        who: ['newcomer'],
        act: async (page) => {
          await press('Link Google')(page);
          await aWindow(page);
        },
      },
      'asked whether to be deleted': {
        who: ['newcomer'],
        act: async (page) => {
          await press('Delete my account')(page);
          await aWindow(page);
        },
      },
    },
  },
  '/users': {
    who: members,
    states: {
      ...whileLoading,
      found: { path: '/users?search=wolfe', worlds: ['full'] },
      'nobody found': { path: '/users?search=qqqqqq', worlds: ['full'] },
    },
  },
  '/users/:id': {
    path: ({ stranger }) => `/users/${stranger.me.id}`,
    who: members,
    worlds: ['full'],
    states: {
      ...whileLoading,
      friend: { path: ({ friend }) => `/users/${friend.me.id}`, who: ['regular'] },
      'asked whether to part': {
        path: ({ friend }) => `/users/${friend.me.id}`,
        who: ['regular'],
        act: async (page) => {
          await press('Remove friend')(page);
          await aWindow(page);
        },
      },
      'asked whether to block': {
        act: async (page) => {
          await press(/^Block /)(page);
          await aWindow(page);
        },
      },
      'kept private': { path: ({ hermit }) => `/users/${hermit.me.id}`, who: ['regular'] },
      asking: { path: ({ asking }) => `/users/${asking.me.id}`, who: ['regular'] },
      invited: { path: ({ invited }) => `/users/${invited.me.id}`, who: ['regular'] },
      oneself: { path: ({ regular }) => `/users/${regular.me.id}`, who: ['regular'] },
      'not there': {
        path: '/users/999999999',
        who: ['newcomer'],
        act: (page) => page.getByRole('heading', { level: 1 }).waitFor(),
        says: /status of 404/,
      },
    },
  },
  '/friends': { who: members, worlds: ['full'], states: whileLoading },
  '/FriendsInvitation': { who: members, worlds: ['full'], states: whileLoading },
  '/pendingFriendRequests': { who: ['regular'], worlds: ['full'] },
  '*': { path: '/there/is/no/such/page', who: ['visitor', 'newcomer'], worlds: ['full'] },
  '/messenger/:id?': {
    path: '/messenger',
    who: members,
    worlds: ['full'],
    states: {
      ...whileLoading,
      'a long conversation': {
        path: ({ conversation }) => `/messenger/${conversation.long}`,
        who: ['regular'],
      },
      'an empty conversation': {
        path: ({ conversation }) => `/messenger/${conversation.silent}`,
        who: ['regular'],
      },
      'with who is no friend any more': {
        path: ({ conversation }) => `/messenger/${conversation.parted}`,
        who: ['regular'],
      },
      offline: {
        path: ({ conversation }) => `/messenger/${conversation.long}`,
        who: ['regular'],
        act: async (page) => {
          await goOffline(page);
          await page.getByPlaceholder('write something...').fill('Is anybody there?');
          await page.keyboard.press('Enter');
          await page.getByText('Not sent').waitFor();
          await page.getByText('Connection lost').waitFor({ state: 'attached' });
        },
        says: out,
        isOffline: true,
      },
      'list while offline': {
        who: ['regular'],
        act: async (page) => {
          await goOffline(page);
          await page.getByText('Connection lost').waitFor();
        },
        says: out,
        isOffline: true,
        staysStill: true,
      },
      'a conversation while offline': {
        path: ({ conversation }) => `/messenger/${conversation.long}`,
        who: ['regular'],
        act: async (page) => {
          await goOffline(page);
          await page.getByText('Connection lost').waitFor({ state: 'attached' });
        },
        says: out,
        isOffline: true,
        staysStill: true,
      },
      'not there': { path: '/messenger/999999999', who: ['regular'] },
    },
  },
};

/** The table, a row for each page, state, world and person. */
export const screens: Screen[] = Object.entries(routes).flatMap(
  ([route, { path = route, states, ...usual }]) =>
    Object.entries<State>({ [asItOpens]: {}, ...states }).flatMap(([state, { who, worlds, ...own }]) =>
      (worlds ?? usual.worlds ?? bothWorlds).flatMap((world) =>
        (who ?? usual.who)
          .filter((one) => world === 'full' || one === 'visitor' || one === 'newcomer')
          .map((one): Screen => ({ path, ...own, route, state, world, who: one })),
      ),
    ),
);

/** What a screen is called in front of people. */
export const nameOf = ({ route, state, world, who }: Screen): string =>
  `${route} ${state}, as ${who}, ${world}`;
