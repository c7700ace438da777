const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' });
const weekdayName = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' });

/** A day (YYYY-MM-DD) is the same everywhere, so it is read and told in UTC. */
const at = (day: string) => new Date(`${day}T00:00:00Z`);

/** 'May 3' */
export const shortDay = (day: string) => `${monthName.format(at(day))} ${at(day).getUTCDate()}`;

/** 'May 3 2025' */
export const longDay = (day: string) => `${shortDay(day)} ${at(day).getUTCFullYear()}`;

/** 'Saturday' */
export const weekday = (day: string) => weekdayName.format(at(day));

/** Whole days from one day to another. */
export const daysBetween = (from: string, to: string) => (at(to).getTime() - at(from).getTime()) / 86_400_000;
