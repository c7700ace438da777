const day = 86_400_000;
const week = 7 * day;
/** The first Monday there was, 1970-01-05. */
const firstMonday = 4 * day;

/** How often in a month one may stay at home. */
const restsAMonth = 2;

/** Which week a moment in UTC is in, or a day of anywhere, counted in weeks that begin on Monday. */
const weekOf = (moment: number): number => Math.floor((moment - firstMonday) / week);

/** A week belongs to the month of its Thursday, as it does to its year. */
const monthOf = (number: number): string =>
  new Date(firstMonday + number * week + 3 * day).toISOString().slice(0, 7);

/**
 * In how many weeks in a row somebody was out, up to now, by the days (YYYY-MM-DD) on which they were. Two weeks a month
 * may be rests: they end nothing and count for nothing. The week that it is now has not been missed yet.
 */
export function weeksInARow(days: string[], now: Date): number {
  const out = new Set(days.map((day) => weekOf(Date.parse(day))));
  const first = Math.min(...out);
  // East of Greenwich the week may have begun already.
  const current = Math.max(weekOf(now.getTime()), ...out);
  const rests = new Map<string, number>();
  let count = 0;
  for (let number = current; number >= first; number--) {
    if (out.has(number)) {
      count += 1;
    } else if (number !== current) {
      const month = monthOf(number);
      const rested = (rests.get(month) ?? 0) + 1;
      if (rested > restsAMonth) break;
      rests.set(month, rested);
    }
  }
  return count;
}
