import { testPassword } from '@wayquest/testing';
import type { Page } from 'playwright-core';

/**
 * Fills the sign-up form that this page shows, or is about to show, and sends it.
 *
 * The form is known by its button: while its part of the app is on its way, the page before it may still show fields
 * of the same names.
 */
export async function signUp(page: Page, username: string): Promise<void> {
  const send = page.getByRole('button', { name: 'Sign Up', exact: true });
  const form = page.locator('form').filter({ has: send });
  await form.locator('[name="username"]').fill(username);
  await form.locator('[name="password"]').fill(testPassword);
  await form.getByRole('button', { name: 'Sign Up', exact: true }).click();
}
