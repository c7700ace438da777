/** What tells one town from another, however it is written; nothing where the city is not said. */
export const townOf = ({ city, state }: { city: string; state: string }): string =>
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
