import { testPassword } from '@wayquest/testing';
import type { Page } from 'playwright-core';

/** Fills in the form for logging in, and submits it. Its fields are not found by labels, which may be translated. */
export async function logIn(page: Page, username: string): Promise<void> {
  const form = page.locator('form:has([name="password"])');
  await form.locator('[name="username"]').fill(username);
  await form.locator('[name="password"]').fill(testPassword);
  await form.locator('[type="submit"]').click();
}
