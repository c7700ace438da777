import { type Arrival, joinsOf, placeBefore } from '../../shared/lib/arrival.ts';

const memory = 'wayquest-from';

const arrivalOf = (state: unknown): Arrival => {
  const joins = joinsOf(state);
  return { from: placeBefore(state), ...(joins !== undefined && { joins }) };
};

/** Keeps the way back over a visit to another site (Google). */
export function rememberPlace(state: unknown) {
  sessionStorage.setItem(memory, JSON.stringify(arrivalOf(state)));
}

/** The way back, after that visit. */
export const rememberedPlace = (): Arrival => arrivalOf(JSON.parse(sessionStorage.getItem(memory) ?? 'null'));
