/** Many texts in one: the nth ends at `ends[n]`, where the next one starts. */
export interface PackedTexts {
  text: string;
  ends: Uint32Array;
}

export function packTexts(all: readonly string[]): PackedTexts {
  let end = 0;
  return { text: all.join(''), ends: Uint32Array.from(all, ({ length }) => (end += length)) };
}

/** Returns a function for the nth text; `''` past the end. */
export const texts =
  ({ text, ends }: PackedTexts) =>
  (id: number): string =>
    text.slice(ends[id - 1] ?? 0, ends[id] ?? 0);
