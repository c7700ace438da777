let isRun = false;

describe('a suite', () => {
  beforeAll(() => {
    throw new Error('not ready');
  });
  test('is not run', () => {
    isRun = true;
  });
});

test('the one after it is run, and the test was not', () => {
  expect(isRun).toBe(false);
});
