import type { Presence } from '../src/presence.ts';

/** What a node may rely on, wherever presence is kept. */
export const presenceSuite = (presence: () => Presence) => {
  it('tells of who arrives that they were not there, once', async () => {
    expect(await presence().arrive([1, 2])).toEqual([1, 2]);
    expect(await presence().arrive([1, 2, 3])).toEqual([3]);
    expect(await presence().arrive([])).toEqual([]);
    expect((await presence().online([3, 4, 1])).toSorted()).toEqual([1, 3]);
    expect(await presence().expire()).toEqual([]);
  });

  it('tells of who leaves that they were there, once, and knows them when they come back', async () => {
    await presence().arrive([11]);
    expect(await presence().leave(11)).toBe(true);
    expect(await presence().leave(11)).toBe(false);
    expect(await presence().online([11])).toEqual([]);
    expect(await presence().arrive([11])).toEqual([11]);
  });
};
