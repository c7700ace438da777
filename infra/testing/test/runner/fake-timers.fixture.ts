test('time passes when the test says so', async () => {
  jest.useFakeTimers({ now: 0 });
  const passed = jest.fn();
  setTimeout(passed, 86_400_000);
  await jest.advanceTimersByTimeAsync(86_400_000);
  expect(passed).toHaveBeenCalledTimes(1);
  const now = Date.now();
  expect(now).toBe(86_400_000);
  jest.useRealTimers();
});
