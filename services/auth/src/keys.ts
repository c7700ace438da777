import type { KeyObject } from 'node:crypto';
import { operations } from '@wayquest/contracts';
import { type HttpApp, Reply } from '@wayquest/platform/http';

const headers = { 'cache-control': 'public, max-age=300' };

/** Publishes the keys that tokens are verified with. */
export function keyRoutes(http: HttpApp, publicKeys: () => ReadonlyMap<string, KeyObject>): void {
  http.serve(operations.getPublicKeys, async () => {
    const keys = [...publicKeys()].map(([kid, key]) => {
      const { n = '', e = '' } = key.export({ format: 'jwk' });
      return { kty: 'RSA' as const, n, e, kid, alg: 'RS256' as const, use: 'sig' as const };
    });
    return new Reply({ keys }, { headers });
  });
}
