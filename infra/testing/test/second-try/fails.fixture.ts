test('passes', () => {});
test('fails', () => {
  throw new Error('always');
});
