/** How hard a challenge can be, from easy to hard. */
export const difficulties = ['Easy', 'Medium', 'Hard'] as const;

/** Default points by difficulty (spec, section 5). */
export const pointsByDifficulty = { Easy: 10, Medium: 20, Hard: 30 } satisfies Record<
  (typeof difficulties)[number],
  number
>;
