test('leaves a rejection that nobody handles', async () => {
  Promise.reject(new Error('handled by nobody'));
  await new Promise(setImmediate);
});
