/**
 * Would run first: it is the largest of the files that a test names, and Jest begins with the largest. But suites in this
 * folder start and stop containers.
 */
test('starts containers', () => {
  const padding = 'x'.repeat(2_000);
  expect(padding).toHaveLength(2_000);
  expect(padding).not.toContain('a container');
  expect(padding).not.toContain('another container');
  expect(padding).not.toContain('and one more container, which makes this file larger than the others');
});
