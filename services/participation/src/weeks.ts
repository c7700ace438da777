const day = 86_400_000;
const week = 7 * day;
/** The first Monday since the epoch, 1970-01-05. */
const firstMonday = 4 * day;

/** Grace weeks per month. */
const graceWeeksPerMonth = 2;

/** The number of the week (from Monday) of a UTC time or of a local date. */
const weekOf = (moment: number): number => Math.floor((moment - firstMonday) / week);

/** A week belongs to the month of its Thursday, as in ISO weeks. */
const monthOf = (number: number): string =>
  new Date(firstMonday + number * week + 3 * day).toISOString().slice(0, 7);

/**
 * Returns the weekly streak up to now, from the dates (YYYY-MM-DD) of completions. Two weeks a month are grace weeks:
 * they neither end the streak nor count. The current week is not missed yet.
 */
export function weeklyStreak(days: string[], now: Date): number {
  const activeWeeks = new Set(days.map((day) => weekOf(Date.parse(day))));
  const first = Math.min(...activeWeeks);
  // East of Greenwich the next week may have begun.
  const current = Math.max(weekOf(now.getTime()), ...activeWeeks);
  const graceWeeksUsed = new Map<string, number>();
  let count = 0;
  for (let number = current; number >= first; number--) {
    if (activeWeeks.has(number)) {
      count += 1;
    } else if (number !== current) {
      const month = monthOf(number);
      const used = (graceWeeksUsed.get(month) ?? 0) + 1;
      if (used > graceWeeksPerMonth) break;
      graceWeeksUsed.set(month, used);
    }
  }
  return count;
}
