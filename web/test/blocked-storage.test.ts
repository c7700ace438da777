import { describeWith, eventually, newChallenge, newUser } from '@wayquest/testing';
import type { Page } from 'playwright-core';
import { logIn } from './support/log-in.ts';
import { useSite } from './support/start-site.ts';

/** Browsers that refuse to store anything, and those without service workers, databases or notifications. */

(await describeWith('chromium'))('the app in a browser without storage', () => {
  const site = useSite();

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

  const blocked = {
    'reading the storages throws': () => {
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get: () => {
            throw new DOMException('The request is denied', 'SecurityError');
          },
        });
    },
    'the storages are null': () => {
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, { value: null });
    },
    'each storage method throws': () => {
      for (const name of ['getItem', 'setItem', 'removeItem', 'clear'] as const)
        Storage.prototype[name] = () => {
          throw new DOMException('The request is denied', 'SecurityError');
        };
    },
    'the storages are full': () => {
      Storage.prototype.setItem = () => {
        throw new DOMException('The quota has been exceeded', 'QuotaExceededError');
      };
    },
  };

  it.each(Object.entries(blocked))('shows pages and logs in if %s', async (_, blockStorage) => {
    const user = await newUser(site.network);
    const challenge = await newChallenge(user);
    const { page, consoleErrors } = await site.visit(`/challenges/${challenge.id}`, {
      prepare: (prepared) => prepared.addInitScript(blockStorage),
    });
    await heading(page, challenge.name).waitFor();
    await page.getByRole('link', { name: 'Explore', exact: true }).click();
    await page.waitForURL(/\/explore/i);
    await page.getByRole('link', { name: 'Log In', exact: true }).click();
    await logIn(page, user.username);
    await page.getByRole('button', { name: `${user.username}'s menu` }).click();
    await page.getByRole('link', { name: 'Profile', exact: true }).click();
    await heading(page, user.username).waitFor();
    await page.getByRole('link', { name: 'Notifications', exact: true }).click();
    await heading(page, 'Notifications').waitFor();
    expect(consoleErrors).toEqual([]);
  });

  it('shows a page and logs out if service workers, caches, databases, notifications and channels are unavailable', async () => {
    const user = await newUser(site.network);
    const { page, consoleErrors } = await site.visit('/notifications', {
      token: user.token,
      serviceWorkers: 'allow',
      prepare: (prepared) =>
        prepared.addInitScript(() => {
          const denied = {
            configurable: true,
            get: () => {
              throw new DOMException('The request is denied', 'SecurityError');
            },
          };
          Object.defineProperty(Navigator.prototype, 'serviceWorker', denied);
          for (const name of ['caches', 'indexedDB']) Object.defineProperty(window, name, denied);
          for (const name of ['Notification', 'BroadcastChannel']) Reflect.deleteProperty(window, name);
        }),
    });
    await heading(page, 'Notifications').waitFor();
    const push = page.getByRole('switch', { name: 'Push notifications' });
    await eventually(async () => expect(await push.isDisabled()).toBe(true));
    await page.getByRole('button', { name: /'s menu/ }).click();
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL('**/login');
    expect(consoleErrors).toEqual([]);
  });
});
