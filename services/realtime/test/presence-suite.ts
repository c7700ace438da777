import type { Presence } from '../src/presence.ts';

/** Tests that pass on every implementation of presence. */
export const presenceSuite = (presence: () => Presence) => {
  it('returns the users who were not online when they arrive', async () => {
    expect(await presence().setOnline([1, 2])).toEqual([1, 2]);
    expect(await presence().setOnline([1, 2, 3])).toEqual([3]);
    expect(await presence().setOnline([])).toEqual([]);
    expect((await presence().online([3, 4, 1])).toSorted()).toEqual([1, 3]);
    expect(await presence().expire()).toEqual([]);
  });

  it('reports once that a user left, and reports them as new when they return', async () => {
    await presence().setOnline([11]);
    expect(await presence().setOffline(11)).toBe(true);
    expect(await presence().setOffline(11)).toBe(false);
    expect(await presence().online([11])).toEqual([]);
    expect(await presence().setOnline([11])).toEqual([11]);
  });
};
