import { testPassword } from '@wayquest/testing';
import type { Page } from 'playwright-core';

/**
 * Fills and submits the sign-up form of a page, also if it is still loading.
 *
 * The form is found by its button: while its code is loading, the previous page may still show fields of the same names.
 */
export async function signUp(page: Page, username: string): Promise<void> {
  const submitButton = page.getByRole('button', { name: 'Sign Up', exact: true });
  const form = page.locator('form').filter({ has: submitButton });
  await form.locator('[name="username"]').fill(username);
  await form.locator('[name="password"]').fill(testPassword);
  await form.getByRole('button', { name: 'Sign Up', exact: true }).click();
}
