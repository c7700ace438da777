import { randomInt } from 'node:crypto';

const maxBaseLength = 23;

/** A valid username made from a person's name. */
function usernameBase(name: string): string {
  const base = name
    .normalize('NFKD')
    .toLowerCase()
    .trim()
    .replace(/\s+/g, '.')
    .replace(/[^a-z0-9._-]/g, '')
    .slice(0, maxBaseLength)
    .replace(/^[._-]+|[._-]+$/g, '');
  return base.length < 3 ? 'explorer' : base;
}

/** Usernames to try in turn: the base itself, then with ever longer numbers. */
export function* usernameCandidates(name: string): Generator<string> {
  const base = usernameBase(name);
  if (base !== 'explorer') yield base;
  for (let digits = 2; digits <= 6; digits += 1) {
    for (let attempt = 0; attempt < 3; attempt += 1)
      yield `${base}-${randomInt(10 ** (digits - 1), 10 ** digits)}`;
  }
}
