import { dateError } from '../src/entities/challenges/dates.ts';
import { formatDistance, type UnitSystem } from '../src/entities/challenges/location.ts';
import {
  type ChallengesQuery,
  challengeRequested,
  challengeStale,
  challengeSubmitted,
  challengesReceived,
  challengesRequested,
  deleteRequested,
  moreRequested,
  selectChallenges,
  selectCreating,
  selectIsGone,
} from '../src/entities/challenges/slice.ts';
import {
  completeRequested,
  joinRequested,
  leaveRequested,
  participationsOf,
  participationsReceived,
} from '../src/entities/participations/slice.ts';
import { challengeChanged } from '../src/entities/realtime/events.ts';
import {
  type ListAddress,
  listOf,
  radii,
  readAddress,
  writeAddress,
} from '../src/features/challenges/address.ts';
import {
  emptyForm,
  missingFields,
  newChallengeOf,
  withAddress,
  withPlace,
} from '../src/features/challenges/form.ts';
import { problem, type StubResponses, startApp } from './support/app.ts';
import { challenge, participation } from './support/fixtures.ts';

const filled = {
  ...emptyForm,
  name: 'Count the bridges',
  points: '10',
  locationName: 'Kissena Park',
  streetAddress: '1 Oak Avenue',
  city: 'Flushing',
  state: 'NY',
  difficulty: 'Easy',
};

const defaults: ChallengesQuery = {
  ...{
    search: '',
    phase: null,
    difficulty: null,
    placeCategory: null,
    sort: 'newest',
    near: null,
    within: null,
  },
};
const everything: ChallengesQuery = { ...defaults, phase: 'any' };
const firstPage = 'GET /api/challenges/?scope=all&limit=24&total=true';
const pageOf = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...challenge, id: from - index }));
const nextPageLink = (cursor: string) => ({ link: `</api/challenges/?cursor=${cursor}>; rel="next"` });
const idsOf = ({ getState }: ReturnType<typeof startApp>['store']) =>
  selectChallenges(getState()).map(({ id }) => id);

test('challenges are loaded in pages, a reloaded list keeps its length, and another filter starts anew', async () => {
  const responses: StubResponses = {
    [firstPage]: { body: pageOf(100, 24), headers: { ...nextPageLink('77'), 'x-total-count': '27' } },
    'GET /api/challenges/?scope=all&limit=24&cursor=77': { body: pageOf(76, 3) },
    'GET /api/challenges/?scope=all&limit=27&total=true': { body: pageOf(101, 27) },
    'GET /api/challenges/?scope=all&limit=24&phase=open&total=true': { body: [challenge] },
  };
  const { store, until } = startApp({ responses });
  store.dispatch(challengesRequested(everything));
  await until((state) => state.challenges.list.state === 'ready');
  expect(store.getState().challenges.total).toBe(27);
  store.dispatch(moreRequested());
  await until((state) => state.challenges.more.state === 'ready');
  expect(store.getState().challenges.total).toBe(27);
  expect(idsOf(store)).toEqual([...pageOf(100, 24), ...pageOf(76, 3)].map(({ id }) => id));
  expect(store.getState().challenges.next).toBeNull();

  store.dispatch(challengesRequested({ ...everything }));
  expect(store.getState().challenges.list.state).toBe('ready');
  await until((state) => state.challenges.listed[0] === 101);
  expect(idsOf(store)).toHaveLength(27);

  store.dispatch(challengesRequested({ ...everything, phase: 'open' }));
  expect(idsOf(store)).toEqual([]);
  await until((state) => state.challenges.list.state === 'ready');
  expect(idsOf(store)).toEqual([challenge.id]);
});

test('a list without a phase shows challenges that have not ended (53, finding 16)', async () => {
  const current = 'GET /api/challenges/?scope=all&limit=24&phase=current&total=true';
  const { store, until } = startApp({ responses: { [current]: { body: [challenge] } } });
  store.dispatch(challengesRequested(defaults));
  await until((state) => state.challenges.list.state === 'ready');
  expect(idsOf(store)).toEqual([challenge.id]);
});

test('the nearest challenges continue at the response’s cursor, and can be limited to a distance', async () => {
  const nearest = 'GET /api/challenges/?scope=all&limit=24&sort=nearest&near=40.76%2C-73.82';
  const close =
    'GET /api/challenges/?scope=all&limit=24&placeCategory=park&sort=nearest&near=40.76%2C-73.82&radius=5000&total=true';
  const { store, until } = startApp({
    responses: {
      [`${nearest}&total=true`]: { body: pageOf(100, 24), headers: nextPageLink('24') },
      [`${nearest}&cursor=24`]: { body: pageOf(76, 6) },
      [close]: { body: pageOf(7, 1) },
    },
  });
  store.dispatch(challengesRequested({ ...everything, sort: 'nearest', near: { lat: 40.76, lng: -73.82 } }));
  await until((state) => state.challenges.list.state === 'ready');
  store.dispatch(moreRequested());
  await until((state) => state.challenges.more.state === 'ready');
  expect(idsOf(store)).toHaveLength(30);
  expect(store.getState().challenges.next).toBeNull();
  store.dispatch(
    challengesRequested({
      ...{
        ...everything,
        placeCategory: 'park',
        sort: 'nearest',
        near: { lat: 40.76, lng: -73.82 },
        within: 5,
      },
    }),
  );
  await until((state) => state.challenges.list.state === 'ready');
  expect(idsOf(store)).toEqual([7]);
});

test.each(['newest', 'ending'] as const)(
  'a maximum distance is sent with the order %s, and the total is stored',
  async (sort) => {
    const near = { lat: 40.76, lng: -73.82 };
    const { store, until } = startApp({
      responses: {
        [`GET /api/challenges/?scope=all&limit=24&sort=${sort}&near=40.76%2C-73.82&radius=5000&total=true`]: {
          body: pageOf(100, 24),
          headers: { ...nextPageLink('77'), 'x-total-count': '31' },
        },
      },
    });
    store.dispatch(challengesRequested({ ...everything, sort, near, within: 5 }));
    await until((state) => state.challenges.list.state === 'ready');
    expect(store.getState().challenges.total).toBe(31);
  },
);

const everyAddress: ListAddress = { ...defaults, sort: null };
const flushing = { lat: 40.76, lng: -73.82 };

test.each([
  ['nearest first around the known position', '', flushing, { sort: 'nearest', near: flushing }],
  ['newest first without a position', '', null, { sort: 'newest', near: null }],
  ['newest first without a position, even if the URL selects the nearest', 'sort=nearest', null, {}],
  [
    'nearest first around a position in the URL',
    'near=1,2',
    flushing,
    { sort: 'nearest', near: { lat: 1, lng: 2 } },
  ],
  ['in the chosen order despite a position', 'sort=newest', flushing, { sort: 'newest', near: flushing }],
] as const)('the list is %s', (_what, query, position, expected) => {
  expect(listOf(readAddress(new URLSearchParams(query)), position)).toEqual({ ...defaults, ...expected });
});

test('a position is rounded before it is sent', () => {
  const { near } = listOf(everyAddress, { lat: 40.760_49, lng: -73.820_49 });
  expect(near).toEqual(flushing);
});

test.each([
  ['', everyAddress],
  ['sort=newest', { ...everyAddress, sort: 'newest' }],
  [
    'sort=ending&near=40.76%2C-73.82&within=25',
    { ...defaults, sort: 'ending', near: { lat: 40.76, lng: -73.82 }, within: 25 },
  ],
  [
    'search=caf%C3%A9&phase=ended&difficulty=Hard&sort=ending',
    { ...defaults, search: 'café', phase: 'ended', difficulty: 'Hard', sort: 'ending' },
  ],
  [
    'placeCategory=museum&sort=nearest&near=40.76%2C-73.82&within=5',
    { ...defaults, placeCategory: 'museum', sort: 'nearest', near: { lat: 40.76, lng: -73.82 }, within: 5 },
  ],
  ['sort=nearest&near=40.76%2C-73.82', { ...defaults, sort: 'nearest', near: { lat: 40.76, lng: -73.82 } }],
])('the URL ?%s selects the challenges in the list', (query, expected) => {
  expect(readAddress(new URLSearchParams(query))).toEqual(expected);
  expect(writeAddress(readAddress(new URLSearchParams(query))).toString()).toBe(query);
});

test('invalid values in the URL are ignored', () => {
  const query = new URLSearchParams(
    'phase=never&difficulty=7&placeCategory=moon&sort=nearest&near=north&within=5',
  );
  expect(readAddress(query)).toEqual({ ...everyAddress, sort: 'nearest' });
});

/** A line never ends between the number and its unit. */
const unbroken = (distance: string) => distance.replace(' ', '\u00a0');

test.each([
  [0, '50 m', '25 ft'],
  [100, '100 m', '325 ft'],
  [940, '950 m', '0.6 mi'],
  [960, '1 km', '0.6 mi'],
  [295, '300 m', '975 ft'],
  [300, '300 m', '0.2 mi'],
  [2_224, '2.2 km', '1.4 mi'],
  [9_960, '10 km', '6.2 mi'],
  [111_195, '111 km', '69 mi'],
])('the distance of %d m is shown as %s or %s (53, finding 13)', (meters, metric, miles) => {
  expect(formatDistance(meters, 'metric')).toBe(unbroken(metric));
  expect(formatDistance(meters, 'miles')).toBe(unbroken(miles));
});

test('distances to choose from are round in both units (53, finding 13)', () => {
  const labels = (units: UnitSystem) => radii[units].map((km) => formatDistance(km * 1_000, units));
  expect(labels('metric')).toEqual(['1 km', '5 km', '25 km', '100 km'].map(unbroken));
  expect(labels('miles')).toEqual(['1 mi', '3 mi', '15 mi', '60 mi'].map(unbroken));
});

test('a failed list has an error that suggests a retry, and can be retried', async () => {
  const responses = { [firstPage]: problem('service-unavailable') };
  const { store, until } = startApp({ responses });
  store.dispatch(challengesRequested(everything));
  await until((state) => state.challenges.list.state === 'failed');
  expect(store.getState().challenges.list.error).toContain('try again');
  Object.assign(responses, { [firstPage]: { body: [] } });
  store.dispatch(challengesRequested(everything));
  await until((state) => state.challenges.list.state === 'ready');
});

test('a request without a response has an error that mentions the connection', async () => {
  const { store, until } = startApp();
  store.dispatch(challengeRequested(3));
  await until((state) => state.challenges.detail.state === 'failed');
  expect(store.getState().challenges.detail.error).toContain("Can't reach Wayquest");
});

test('a new challenge is appended with the user’s time zone, and joined immediately', async () => {
  const { store, calls, until } = startApp({
    responses: {
      'POST /api/challenges/': { status: 201, body: { ...challenge, participants: 0 } },
      'POST /api/challengeLine/': { status: 201, body: participation },
    },
  });
  const older = { ...challenge, id: 1 };
  store.dispatch(challengesReceived({ challenges: [older], next: null, total: null }));
  store.dispatch(challengeSubmitted(newChallengeOf(filled)));
  await until((state) => state.notice.current !== null);
  expect(selectChallenges(store.getState())).toEqual([older, { ...challenge, participants: 1 }]);
  expect(calls.map(({ call }) => call)).toEqual(['POST /api/challenges/', 'POST /api/challengeLine/']);
  expect(calls.map(({ body }) => body)).toEqual([
    { ...newChallengeOf(filled), timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone },
    { challengeId: challenge.id },
  ]);
});

test('a created challenge is kept if joining it fails, with a notice', async () => {
  const { store, until } = startApp({
    responses: {
      'POST /api/challenges/': { status: 201, body: challenge },
      'POST /api/challengeLine/': problem('service-unavailable'),
    },
  });
  store.dispatch(challengeSubmitted(newChallengeOf(filled)));
  await until((state) => state.notice.current !== null);
  expect(selectCreating(store.getState())).toBe('ready');
  expect(selectChallenges(store.getState())).toEqual([challenge]);
  expect(store.getState().notice.current?.text).toContain('Open it to join');
});

test('deleting removes the participations first, then the challenge, and goes to /challenges/', async () => {
  const { store, calls, visited, until } = startApp({
    responses: {
      'GET /api/challengeLine/?challengeId=3': { body: [participation, { ...participation, id: 22 }] },
      'DELETE /api/challengeLine/21': {},
      'DELETE /api/challengeLine/22': problem('participation-not-found'),
      'DELETE /api/challenges/3': {},
    },
  });
  store.dispatch(challengesReceived({ challenges: [challenge], next: null, total: null }));
  store.dispatch(deleteRequested(3));
  await until((state) => selectChallenges(state).length === 0);
  expect(calls.map(({ call }) => call)).toEqual([
    'GET /api/challengeLine/?challengeId=3',
    'DELETE /api/challengeLine/21',
    'DELETE /api/challengeLine/22',
    'DELETE /api/challenges/3',
  ]);
  expect(visited).toEqual(['/challenges/']);
});

describe('the place of the full form', () => {
  const park = {
    ...{ id: 'park', name: 'Kissena Park', type: 'park' as const, vicinity: 'Flushing, NY' },
    ...{ streetAddress: '', city: 'Flushing', state: 'NY', zip: '11358' },
    position: { lat: 40.7466, lng: -73.8056 },
  };

  it('has the position of a selected place, and its name as the street if it has none', () => {
    const form = withPlace({ ...filled, streetAddress: '' }, park);
    expect(newChallengeOf(form)).toMatchObject({
      ...{ locationName: 'Kissena Park', streetAddress: 'Kissena Park', city: 'Flushing' },
      position: park.position,
    });
    expect(missingFields(form)).toEqual([]);
  });

  it('needs neither a street nor a state if the selected place has none (53, finding 4)', () => {
    const reykjavik = { ...park, name: 'Reykjavík', type: null, city: 'Reykjavík', state: '', zip: '' };
    const form = withPlace({ ...filled, streetAddress: '' }, reykjavik);
    expect(missingFields(form)).toEqual([]);
    expect(newChallengeOf(form)).toMatchObject({ city: 'Reykjavík', streetAddress: '', state: '' });
    expect(missingFields(withPlace(form, { ...park, type: null }))).toEqual(['streetAddress']);
    const address = { streetAddress: '', city: 'Nairobi', state: '', zip: '' };
    expect(missingFields(withAddress({ ...filled, state: '' }, address, {}))).toEqual([]);
  });

  it('has no street or state if they are a dash (53, finding 4)', () => {
    const typed = { ...filled, city: 'Reykjavík', streetAddress: '–', state: ' - ' };
    expect(missingFields(typed)).toEqual([]);
    expect(newChallengeOf(typed)).toMatchObject({ streetAddress: '', state: '' });
  });

  it('has no position after a town was selected', () => {
    const before = withPlace(filled, park);
    const form = withPlace(before, { ...park, name: 'Flushing', type: null });
    expect(newChallengeOf(form)).toMatchObject({
      locationName: 'Flushing',
      streetAddress: '',
      position: null,
    });
  });

  it('has the address of a position on the map, except for fields that the user changed', () => {
    const address = { streetAddress: '', city: 'Corona', state: 'NY', zip: '' };
    const typed = { ...emptyForm, locationName: 'The old gate', city: 'Queens', zip: '11358' };
    expect(withAddress(typed, address, { zip: '11358' })).toEqual({
      ...typed,
      ...{ streetAddress: 'The old gate', city: 'Queens', state: 'NY', zip: '' },
    });
  });

  it('has no position if none was chosen', () => {
    expect(newChallengeOf(filled).position).toBeNull();
  });
});

test('the form can be submitted once all required fields are filled', () => {
  const fields = ['name', 'difficulty', 'points', 'locationName', 'streetAddress', 'city', 'state'];
  expect(missingFields(emptyForm)).toEqual(fields);
  expect(missingFields(filled)).toEqual([]);
  for (const field of fields) expect(missingFields({ ...filled, [field]: ' ' })).toEqual([field]);
});

test.each([
  ['a change event arrives', challengeChanged({ challengeId: 3 })],
  ['events may have been missed', challengeStale(3)],
  ['the user joins it', joinRequested(3)],
  ['a participant completes it', completeRequested({ participation, checkIn: 'no' })],
  ['a participant leaves', leaveRequested(participation)],
])('a challenge deleted while it is shown is removed from the state when %s', async (_when, event) => {
  const responses: StubResponses = {
    'GET /api/challenges/3': { body: challenge },
    'POST /api/challengeLine/': problem('challenge-not-found'),
    'PUT /api/challengeLine/21': problem('participation-not-found'),
    'DELETE /api/challengeLine/21': problem('participation-not-found'),
  };
  const { store, until } = startApp({ responses });
  store.dispatch(participationsReceived([participation]));
  store.dispatch(challengesReceived({ challenges: [challenge], next: null, total: null }));
  store.dispatch(challengeRequested(3));
  await until((state) => state.challenges.detail.state === 'ready');
  responses['GET /api/challenges/3'] = problem('challenge-not-found');
  store.dispatch(event);
  await until((state) => selectIsGone(state, 3));
  expect(selectChallenges(store.getState())).toEqual([]);
  expect(participationsOf(store.getState().challengeLines)).toEqual([]);
});

test.each([
  ['', '2026-05-02', undefined],
  ['2026-05-02', '', undefined],
  ['2026-05-02', '2026-05-02', undefined],
  ['2026-05-03', '2026-05-02', 'The end date is before the start date.'],
  ['', '2026-04-30', 'The end date is in the past.'],
])('the form’s date error for %s to %s is: %s', (startDate, endDate, expected) => {
  expect(dateError({ startDate, endDate }, undefined, new Date('2026-05-01T12:00:00'))).toBe(expected);
});

test('an invalid challenge id shows that there is no such challenge, without a request', () => {
  for (const id of [Number.NaN, 0, -1, 1.5]) {
    const { store, calls } = startApp();
    store.dispatch(challengeRequested(id));
    expect(selectIsGone(store.getState(), id)).toBe(true);
    expect(calls).toEqual([]);
  }
});
