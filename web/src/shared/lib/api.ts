import type { Client } from '@wayquest/contracts';
import type { TokenStore } from './tokens.ts';

/** The typed client, loaded with its schemas on the first call, so that a page without calls never pays for them. */
export function lazyClient(tokens: TokenStore): () => Promise<Client> {
  let client: Promise<Client> | undefined;
  return () => {
    client ??= import('./client.ts').then(({ createClient }) =>
      createClient({ baseUrl: '', token: () => tokens.read(), repeats: 2 }),
    );
    return client;
  };
}
