import type { PublicUser } from '@wayquest/contracts';

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Whether each word of a text is part of a user's names, ignoring case and accents. */
export function matchesName({ username, firstName, lastName }: PublicUser, text: string): boolean {
  const names = fold([username, firstName, lastName].join(' '));
  return fold(text)
    .split(/\s+/)
    .every((word) => names.includes(word));
}
