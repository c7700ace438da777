import { operations } from '@wayquest/contracts';
import { z } from 'zod';
import { createSealedCookie } from './sealed-cookie.ts';

const Bound = z.object({ binding: z.string(), expiresAt: z.number() });

/** What ties a login code to the browser that Google sent back: only the call that swaps the code is shown it. */
export const createBindingCookie = (secret: string) =>
  createSealedCookie({ name: 'wayquest-code', path: operations.exchangeLoginCode.path, secret }, Bound);

export type BindingCookie = ReturnType<typeof createBindingCookie>;
