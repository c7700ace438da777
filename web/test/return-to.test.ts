import { formDraftsIn } from '../src/shared/lib/form-drafts.ts';
import { intendedJoinIn } from '../src/shared/lib/intended-join.ts';
import { returnPath } from '../src/shared/lib/return-to.ts';
import { memoryBrowser, memoryStorage } from './support/app.ts';

test('a login returns to the page that required it', () => {
  expect(returnPath({ from: '/challenges/3' })).toBe('/challenges/3');
});

test.each([
  null,
  {},
  { from: 7 },
  { from: 'https://elsewhere.example' },
  { from: '//elsewhere.example' },
  { from: '/\\elsewhere' },
])('a login with the invalid state %j leads to the home page', (state) => {
  expect(returnPath(state)).toBe('/home');
});

describe('what a visitor wants to join (53)', () => {
  const loop = '52.5244_13.4105_loop';
  const start = () => {
    const { items, openStorage } = memoryBrowser();
    const clock = { now: 1_000_000_000_000 };
    const storages = { session: openStorage(), local: memoryStorage() };
    return { items, clock, storages, intended: intendedJoinIn(storages, () => clock.now) };
  };

  it.each([3, loop])('is kept until it is forgotten: %s', (joinable) => {
    const { items, intended } = start();
    expect(intended.read()).toBeUndefined();
    intended.write(joinable);
    expect(intended.read()).toBe(joinable);
    intended.clear();
    expect(intended.read()).toBeUndefined();
    expect(items.size).toBe(0);
  });

  it('expires after half an hour, and if the clock was set back', () => {
    const { clock, intended } = start();
    intended.write(3);
    clock.now += 30 * 60_000 - 1;
    expect(intended.read()).toBe(3);
    clock.now += 1;
    expect(intended.read()).toBeUndefined();
    intended.write(3);
    clock.now -= 30 * 60_000;
    expect(intended.read()).toBeUndefined();
  });

  it('is forgotten with a logout', () => {
    const { storages, intended } = start();
    intended.write(3);
    formDraftsIn(storages).clear();
    expect(intended.read()).toBeUndefined();
  });

  it.each([0, -3, 2.5, '3', `${loop}/../admin`, 'loop', { id: 3 }, null])(
    'is ignored unless it is an id of a known form: %j',
    (joins) => {
      const { items, clock, intended } = start();
      intended.write(3);
      const [key] = [...items.keys()];
      items.set(key ?? '', JSON.stringify({ joins: 3, at: clock.now, logout: '' }));
      expect(intended.read()).toBe(3);
      items.set(key ?? '', JSON.stringify({ joins, at: clock.now, logout: '' }));
      expect(intended.read()).toBeUndefined();
      items.set(key ?? '', '{"joins":');
      expect(intended.read()).toBeUndefined();
    },
  );
});
