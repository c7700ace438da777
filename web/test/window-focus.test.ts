import { befriend, describeWith, eventually, newUser } from '@wayquest/testing';
import { useSite } from './support/start-site.ts';

(await describeWith('chromium'))('a window that is visible without the focus', () => {
  const site = useSite();

  it('marks messages as read once it has the focus (Q15)', async () => {
    const [ann, bob] = [await newUser(site.network), await newUser(site.network)];
    await befriend(ann, bob);
    await site.network.settle();
    const [{ id } = { id: 0 }] = await ann.client.listConversations({ params: { userId: ann.me.id } });
    const { page } = await site.visit(`/messenger/${id}`, {
      token: ann.token,
      prepare: (prepared) =>
        prepared.addInitScript(() => {
          let hasFocus = false;
          document.hasFocus = () => hasFocus;
          addEventListener('test-focus', () => {
            hasFocus = true;
            dispatchEvent(new Event('focus'));
          });
        }),
    });
    await page.getByPlaceholder('write something...').waitFor();
    const marks: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT') marks.push(request.url());
    });
    await bob.client.sendMessage({ body: { conversationId: id, text: 'Anybody there?' } });
    await page.getByRole('log').getByText('Anybody there?').waitFor();
    const unread = async () =>
      (await ann.client.listConversations({ params: { userId: ann.me.id } })).map((each) => each.unread);
    expect([await unread(), marks]).toEqual([[1], []]);
    await page.evaluate(() => dispatchEvent(new Event('test-focus')));
    await eventually(async () => expect(await unread()).toEqual([0]));
  });
});
