const never = () => new Promise<void>(() => {});

test('a test', never, 10);

describe('a hook', () => {
  beforeEach(never, 10);
  test('before each test', () => {});
});
