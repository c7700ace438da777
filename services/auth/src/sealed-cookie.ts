import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { type DynamicText, derivedFrom } from '@wayquest/platform/process';
import type { CookieOptions, Request, Response } from 'express';
import type { z } from 'zod';

export interface SealedCookie<T> {
  set(response: Response, value: T, options: Pick<CookieOptions, 'secure'>): void;
  /** Reads and deletes the cookie; undefined if it was tampered with or has expired. */
  consume(request: Request, response: Response): T | undefined;
}

/** A short-lived cookie, sealed with a secret, so that no state is stored between two requests. */
export function createSealedCookie<S extends z.ZodType<{ expiresAt: number }>>(
  { name, path, secret }: { name: string; path: string; secret: DynamicText },
  schema: S,
): SealedCookie<z.infer<S>> {
  const key = derivedFrom(secret, (currentSecret) =>
    Buffer.from(hkdfSync('sha256', currentSecret, '', `wayquest cookie ${name}`, 32)),
  );
  const sealOf = (content: string) => createHmac('sha256', key()).update(content).digest();
  const common: CookieOptions = { httpOnly: true, sameSite: 'lax', path };

  const open = (sealed: string): z.infer<S> | undefined => {
    const [content = '', seal = ''] = sealed.split('.');
    const actualSeal = Buffer.from(seal, 'base64url');
    const expectedSeal = sealOf(content);
    if (actualSeal.length !== expectedSeal.length || !timingSafeEqual(actualSeal, expectedSeal))
      return undefined;
    const value = schema.parse(JSON.parse(Buffer.from(content, 'base64url').toString()));
    return value.expiresAt > Date.now() ? value : undefined;
  };

  return {
    set(response, value, { secure = false }) {
      const content = Buffer.from(JSON.stringify(value)).toString('base64url');
      response.cookie(name, `${content}.${sealOf(content).toString('base64url')}`, {
        ...common,
        secure,
        maxAge: value.expiresAt - Date.now(),
      });
    },
    consume(request, response) {
      response.clearCookie(name, common);
      const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
      const found = pairs.find((pair) => pair.startsWith(`${name}=`));
      return found === undefined ? undefined : open(found.slice(name.length + 1));
    },
  };
}
