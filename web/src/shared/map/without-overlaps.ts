interface Sign {
  /** Center, in pixels. */
  at: { x: number; y: number };
  /** Size, in pixels. */
  room: { width: number; height: number };
}

/** Returns the signs that do not overlap; earlier ones take precedence. */
export function withoutOverlaps<S extends Sign>(signs: S[]): S[] {
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
