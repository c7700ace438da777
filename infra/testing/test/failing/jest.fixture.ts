import { describeWith, newUser, openBrowser, startNetwork } from '@wayquest/testing';

test('fails because a service has stopped', async () => {
  await using network = await startNetwork({ services: ['users', 'friends'] });
  const ann = await newUser(network);
  await network.services.users.stop();
  await ann.client.getMe();
});

(await describeWith('chromium'))('a page', () => {
  test('is not as expected', async () => {
    const browser = await openBrowser('http://127.0.0.1');
    const { page } = await browser.visitor();
    await page.setContent(
      '<h1>Not found</h1><button>Back</button><script>console.error("no such page")</script>',
    );
    await page.getByRole('button').focus();
    expect(await page.getByRole('heading').textContent()).toBe('Welcome');
  });
});
