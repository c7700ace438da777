interface Sign {
  /** Its middle, in pixels. */
  at: { x: number; y: number };
  /** How much room it takes, in pixels. */
  room: { width: number; height: number };
}

/** The signs that have room beside each other, the first ones first. */
export function withRoom<S extends Sign>(signs: S[]): S[] {
  const placed: Sign[] = [];
  return signs.filter((one) => {
    const isCrowded = placed.some(
      ({ at, room }) =>
        Math.abs(at.x - one.at.x) < (room.width + one.room.width) / 2 &&
        Math.abs(at.y - one.at.y) < (room.height + one.room.height) / 2,
    );
    if (!isCrowded) placed.push(one);
    return !isCrowded;
  });
}
