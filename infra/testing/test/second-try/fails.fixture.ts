test('passes beside it', () => {});
test('fails', () => {
  throw new Error('always');
});
