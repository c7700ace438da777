import { nanoid } from '@reduxjs/toolkit';
import type { Client, ClientOptions } from '@wayquest/contracts';
import { currentLanguage } from '../i18n/catalogue.ts';
import { takeEarlyResponse } from './early-data.ts';
import { loadPart } from './load-part.ts';
import { learnServerTime } from './server-time.ts';
import type { TokenStore } from './tokens.ts';

/** Timeouts of a call, and of a file: of its upload, and of silence during its download. */
const callTimeoutMs = 15_000;
const fileTimeoutMs = 120_000;

/**
 * Returns the typed client, which is loaded with its schemas for the first call, so that a page without calls does not
 * load it. After a failure the next call loads it again.
 */
export function lazyClient(
  tokens: TokenStore,
  onChange: ClientOptions['onChange'] = () => {},
): () => Promise<Client> {
  let client: Client | undefined;
  return async () => {
    if (client) return client;
    const { createClient } = await loadPart(() => import('./client.ts'));
    // Services write mails in this language.
    const headers = () => ({ 'accept-language': currentLanguage() });
    const timedFetch: ClientOptions['fetch'] = async (url, call) => {
      const response = await (takeEarlyResponse(url, call) ?? fetch(url, call));
      learnServerTime(response);
      return response;
    };
    client ??= createClient({
      ...{ baseUrl: '', token: () => tokens.read(), headers, maxRetries: 2, makeKey: nanoid },
      ...{ timeoutMs: callTimeoutMs, fileTimeoutMs, fetch: timedFetch, onChange },
    });
    return client;
  };
}
