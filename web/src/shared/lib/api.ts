import { nanoid } from '@reduxjs/toolkit';
import type { Client } from '@wayquest/contracts';
import { currentLanguage } from '../i18n/catalogue.ts';
import { inTime } from './in-time.ts';
import type { TokenStore } from './tokens.ts';

/** How long the server may take to answer; a file may be on its way for longer. */
const callTimeoutMs = 15_000;
const fileTimeoutMs = 120_000;

/**
 * The typed client, loaded with its schemas on the first call, so that a page without calls never pays for them. What
 * did not arrive is asked for again by the next call.
 */
export function lazyClient(tokens: TokenStore): () => Promise<Client> {
  let client: Client | undefined;
  return async () => {
    if (client) return client;
    const { createClient } = await inTime(import('./client.ts'));
    // Mails are written in it.
    const headers = () => ({ 'accept-language': currentLanguage() });
    client ??= createClient({
      ...{ baseUrl: '', token: () => tokens.read(), headers, repeats: 2, makeKey: nanoid },
      ...{ timeoutMs: callTimeoutMs, fileTimeoutMs },
    });
    return client;
  };
}
