import { describeWith, eventually, newChallenge, newUser } from '@wayquest/testing';
import type { Page } from 'playwright-core';
import { logIn } from './support/log-in.ts';
import { useSite } from './support/start-site.ts';

/** Browsers translate a page by replacing its texts, which React does not know about. */

(await describeWith('chromium'))('a page that the browser translates', () => {
  const site = useSite();

  /** Translates a page as browsers do, including content that is added later. */
  const translatePage = (page: Page, method: string) =>
    page.evaluate((method) => {
      const translated = new WeakSet<Node>();
      const wrap = (node: Node) => {
        const { parentNode } = node;
        if (!(parentNode instanceof HTMLElement) || !node.nodeValue?.trim() || translated.has(node)) return;
        if (parentNode.closest('font, script, style, svg, textarea, option')) return;
        const font = document.createElement('font');
        const copy = document.createTextNode(`«${node.nodeValue}»`);
        translated.add(copy);
        if (method === 'replaced') parentNode.replaceChild(font, node);
        if (method === 'inserted') {
          parentNode.insertBefore(font, node);
          parentNode.removeChild(node);
        }
        if (method === 'removed first') {
          const { nextSibling } = node;
          parentNode.removeChild(node);
          parentNode.insertBefore(font, nextSibling);
        }
        font.appendChild(copy);
      };
      const wrapAll = (root: Node) => {
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        const texts: Node[] = [];
        while (walker.nextNode()) texts.push(walker.currentNode);
        for (const text of texts) wrap(text);
      };
      wrapAll(document.body);
      // Added content is translated with a delay, as in browsers.
      new MutationObserver((records) => {
        for (const { addedNodes } of records)
          for (const node of addedNodes)
            setTimeout(() => {
              if (!node.isConnected) return;
              if (node instanceof Text) wrap(node);
              else wrapAll(node);
            });
      }).observe(document.body, { childList: true, subtree: true });
    }, method);

  it.each(['replaced', 'inserted', 'removed first'])(
    'updates text in a translated page whose texts are %s',
    async (method) => {
      const [maya, ...senders] = [
        await newUser(site.network),
        await newUser(site.network),
        await newUser(site.network),
      ];
      const challenge = await newChallenge(maya);
      const { page, consoleErrors } = await site.browser.visitor({ token: maya.token });
      await page.goto('/FriendsInvitation');
      const sendRequest = (index: number) =>
        senders[index]?.client.requestFriend({ body: { friendId: maya.me.id } });
      await sendRequest(0);
      const menu = page.getByRole('button', { name: /'s menu/ });
      const badge = page.getByText(/^«?1»?.*friend request/).first();
      await badge.waitFor();
      await translatePage(page, method);
      await sendRequest(1);
      await eventually(async () => expect(await menu.textContent()).toMatch(/2\D*friend request/));

      // Lists, labels, dialogs, notices and form errors, on several pages.
      await page
        .getByRole('button', { name: /^Accept/ })
        .first()
        .click();
      await eventually(async () => expect(await menu.textContent()).toMatch(/1\D*friend request/));
      await page.getByRole('button', { name: /^Accept/ }).click();
      await page.getByText('No pending requests').waitFor();
      await eventually(async () => expect(await menu.textContent()).not.toContain('request'));
      await page.getByRole('link', { name: /^«?Challenges»?$/ }).click();
      await page.getByRole('link', { name: challenge.name }).first().click();
      await page.getByRole('heading', { level: 1, name: challenge.name }).waitFor();
      await page.getByRole('button', { name: 'Join Challenge!' }).click();
      await page.getByRole('button', { name: 'Join Challenge!' }).waitFor({ state: 'detached' });
      await maya.client.updateChallenge({
        params: { id: challenge.id },
        body: { ...challenge, name: 'Count the bridges twice' },
      });
      await page.getByRole('heading', { level: 1, name: 'Count the bridges twice' }).waitFor();
      await menu.click();
      await page.getByRole('button', { name: 'Logout' }).click();
      await page.waitForURL('**/login');
      await logIn(page, 'nobody-there');
      await page.getByText('That username and password do not match.').waitFor();
      expect(consoleErrors.filter((text) => !/status of 401/.test(text))).toEqual([]);
    },
  );
});
