import { afterTest } from '../../src/backing.ts';

const calls: string[] = [];

describe('afterTest', () => {
  afterEach(() => {
    calls.push('afterEach');
  });
  test('is registered twice', () => {
    afterTest(() => calls.push('first'));
    afterTest(async () => calls.push('second'));
  });
  test('is called after the hooks, the last one first', () => {
    expect(calls).toEqual(['afterEach', 'second', 'first']);
  });
  test('fails the test if it fails', () => {
    afterTest(() => {
      throw new Error('could not be cleaned up');
    });
  });
});
