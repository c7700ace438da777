/** Many texts in one: the nth goes from the end of the one before to `ends[n]`. */
export interface PackedTexts {
  text: string;
  ends: Uint32Array;
}

export function packTexts(all: readonly string[]): PackedTexts {
  let end = 0;
  return { text: all.join(''), ends: Uint32Array.from(all, ({ length }) => (end += length)) };
}

/** Answers the nth; `''` where there are fewer. */
export const texts =
  ({ text, ends }: PackedTexts) =>
  (id: number): string =>
    text.slice(ends[id - 1] ?? 0, ends[id] ?? 0);
