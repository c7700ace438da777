import { describeWith, exampleSiteFolder, pressKey, testPassword } from '@wayquest/testing';
import type { Page } from 'playwright-core';
import { findBarriers, findLayoutIssues } from './screens/checks.ts';
import { smallPhone } from './screens/fixture.ts';
import { useSite } from './support/start-site.ts';

const name = 'Fox & "Goat" <Wege>';

/** What axe and the layout checks find in a page. */
const issuesOf = async (page: Page) => [...(await findBarriers(page)), ...(await findLayoutIssues(page))];

(await describeWith('chromium'))('an installation with a name, a color, a logo and pages of its own', () => {
  const site = useSite({
    settings: {
      ...{ SITE_NAME: name, SITE_LANGUAGE: 'zh', SITE_FOLDER: exampleSiteFolder },
      ...{ SITE_COLOR: '#1d7a4f', MAP_START: '52.52,13.41', MAP_START_ZOOM: '9' },
    },
  });

  it('has its name in the header, the title and the texts, and its pages in the footer, by keyboard', async () => {
    const { page, consoleErrors } = await site.visit('/home', { viewport: smallPhone });
    await page.locator('#root:not([data-prerendered])').waitFor({ state: 'attached' });
    await page.getByRole('link', { name: `${name}, home` }).waitFor();
    expect(await page.title()).toContain(` · ${name}`);
    const footer = page.getByRole('contentinfo');
    expect(await footer.getByRole('link').allTextContents()).toEqual([
      ...['House rules', 'Privacy', 'Imprint', '联系我们'],
      'Open-source libraries',
    ]);
    expect(await issuesOf(page)).toEqual([]);

    await pressKey(footer.getByRole('link', { name: 'House rules' }));
    await page.getByRole('heading', { level: 1, name: 'House rules' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent === 'House rules');
    expect(await page.title()).toBe(`House rules · ${name}`);
    const main = page.getByRole('main');
    expect(await main.getByRole('listitem').allTextContents()).toEqual([
      ...['Go outside.', 'Leave nothing behind.', 'Be kind to who you meet.'],
    ]);
    await main.getByRole('heading', { level: 2, name: 'If somebody is not' }).waitFor();
    const link = main.getByRole('link', { name: 'write to us' });
    expect(await link.getAttribute('href')).toBe('mailto:people@club.example');
    expect(await issuesOf(page)).toEqual([]);
    await pressKey(footer.getByRole('link', { name: 'Imprint' }));
    await page.getByRole('heading', { level: 1, name: 'Imprint' }).waitFor();
    await main.getByText('12345 Oakfield').waitFor();
    expect(consoleErrors).toEqual([]);
  });

  it('has its name in the sentences of its pages and of its services', async () => {
    const { page } = await site.visit('/login#problem=invitation-required');
    await page.getByRole('alert').getByText(`has no ${name} account yet`).waitFor();
    await page.route('**/auth/login', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        json: {
          ...{ type: 'urn:wayquest:problem:service-unavailable', status: 503, code: 'service-unavailable' },
          title: 'Wayquest is temporarily unavailable. Please try again in a moment.',
        },
      }),
    );
    await page.locator('[name="username"]').fill('ann');
    await page.locator('[name="password"]').fill(testPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText(`${name} is temporarily unavailable.`).waitFor();
  });

  it('is in Chinese, with its pages, for a browser that asks for another language', async () => {
    const { page, consoleErrors } = await site.visit('/rules', { locale: 'fr-FR' });
    await page.locator('#root:not([data-prerendered])').waitFor({ state: 'attached' });
    await page.getByRole('link', { name: `${name} 首页` }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-Hans');
    await page.getByRole('heading', { level: 1, name: '守则' }).waitFor();
    await page.getByText('善待遇到的人。').waitFor();
    const footer = page.getByRole('contentinfo');
    await footer.getByRole('link', { name: '联系我们' }).waitFor();

    // The page and its title follow the reader's choice.
    await footer.getByRole('button', { name: 'English' }).click();
    await page.getByRole('heading', { level: 1, name: 'House rules' }).waitFor();
    await page.getByText('Leave nothing behind.').waitFor();
    await footer.getByRole('link', { name: '联系我们' }).click();
    const heading = page.getByRole('heading', { level: 1, name: '联系我们' });
    expect(await heading.evaluate((element) => element.closest('[lang]')?.getAttribute('lang'))).toBe(
      'zh-Hans',
    );
    expect(consoleErrors).toEqual([]);
  });

  /** The colors of links and of the button, by the theme. */
  it.each([
    ['light', '#196a45'],
    ['dark', '#2bb374'],
  ] as const)(
    'has its logo and shades of its color in the %s theme, which are readable',
    async (colorScheme, anchor) => {
      const { page, consoleErrors } = await site.visit('/login', { colorScheme });
      await page.locator('#root:not([data-prerendered])').waitFor({ state: 'attached' });
      const variable = (property: string) =>
        page.evaluate(
          (wanted) => getComputedStyle(document.documentElement).getPropertyValue(wanted),
          property,
        );
      expect(await variable('--mantine-color-purple-6')).toBe('#1f8154');
      expect(await variable('--mantine-color-anchor')).toBe(anchor);
      expect(await variable('--mantine-color-purple-filled')).toBe('#1f8154');
      const logos = page.locator('img[src="/site/logo.svg"]');
      expect(await logos.count()).toBe(2);
      expect(await logos.first().evaluate((image: HTMLImageElement) => image.naturalWidth > 0)).toBe(true);
      expect(await page.locator('link[rel="icon"]').getAttribute('href')).toBe('/site/logo.svg');
      expect(await issuesOf(page)).toEqual([]);
      expect(consoleErrors).toEqual([]);
    },
  );

  it('has a map that starts where the operator chose, for people whose position is unknown', async () => {
    const { page } = await site.visit('/explore');
    await page.waitForURL(({ search }) => {
      const query = new URLSearchParams(search);
      return /^52\.5\d*,13\.4/.test(query.get('at') ?? '') && query.get('zoom') === '9';
    });
  });

  it('has its name, its logo and its links before any script has run', async () => {
    const { page } = await site.visit('/home', {
      javaScriptEnabled: false,
      locale: 'en-US',
    });
    expect(await page.title()).toBe(name);
    await page.getByRole('link', { name: `${name}, home` }).waitFor();
    expect(await page.locator('img[src="/site/logo.svg"]').count()).toBe(2);
    expect(
      await page.getByRole('contentinfo').getByRole('link', { name: 'Imprint' }).getAttribute('href'),
    ).toBe('/imprint');
  });
});

(await describeWith('chromium'))('an installation without pages of its own', () => {
  const site = useSite();

  it('has no such page, and no links', async () => {
    const { page } = await site.visit('/imprint');
    await page.waitForURL('**/home');
    expect(await page.getByRole('contentinfo').getByRole('link').allTextContents()).toEqual([
      'Open-source libraries',
    ]);
  });
});
