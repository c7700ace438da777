let running = 0;
let most = 0;

test.concurrent.each([1, 2, 3, 4])('number %i', async () => {
  running += 1;
  most = Math.max(most, running);
  // Long enough for others to begin, if they may.
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
  running -= 1;
});

test('two at a time', () => {
  expect(most).toBe(2);
});
