interface Name {
  name: string;
  /** Its middle, in pixels. */
  at: { x: number; y: number };
}

/** About as much as a letter takes, and a line, in pixels. */
const [letter, line] = [8, 20];

export const widthOfName = (name: string): number => name.length * letter;

/** The names that have room beside each other, the first ones first. */
export function withRoom<N extends Name>(names: N[]): N[] {
  const placed: Name[] = [];
  return names.filter(({ name, at }) => {
    const isCrowded = placed.some(
      (other) =>
        Math.abs(other.at.x - at.x) < (widthOfName(name) + widthOfName(other.name)) / 2 &&
        Math.abs(other.at.y - at.y) < line,
    );
    if (!isCrowded) placed.push({ name, at });
    return !isCrowded;
  });
}
