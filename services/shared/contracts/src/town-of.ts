/** Key of a town, independent of spelling variants; empty without a city. */
export const townKey = ({ city, state }: { city: string; state: string }): string =>
  city &&
  [city, state]
    .map((name) =>
      name
        .normalize('NFKC')
        .toLocaleLowerCase('en')
        .replaceAll(/[\s.]+/g, ' ')
        .trim(),
    )
    .join();
