import type { PublicUser } from '@wayquest/contracts';

/** First and last name, as far as they are known. */
export const fullName = ({ firstName, lastName }: Pick<PublicUser, 'firstName' | 'lastName'>) =>
  [firstName, lastName].filter(Boolean).join(' ');
