test('passes', () => {});
