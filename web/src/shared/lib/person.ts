import type { PublicUser } from '@wayquest/contracts';

/** First and last name, if set. */
export const fullName = ({ firstName, lastName }: Pick<PublicUser, 'firstName' | 'lastName'>) =>
  [firstName, lastName].filter(Boolean).join(' ');
