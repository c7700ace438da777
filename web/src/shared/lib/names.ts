import { deletedUsername, type PublicUser, wayquestCreator } from '@wayquest/contracts';
import { useCommonTranslations } from '../i18n/common.ts';
import { siteName } from './site.ts';

/** First and last name, if set. */
export const fullName = ({ firstName, lastName }: Pick<PublicUser, 'firstName' | 'lastName'>) =>
  [firstName, lastName].filter(Boolean).join(' ');

/** The texts of a deleted user remain. */
export const isDeleted = ({ username }: Pick<PublicUser, 'username'>): boolean =>
  username === deletedUsername;

/** The displayed name of a user, or of the creator of suggested challenges. */
export function useName(user: Pick<PublicUser, 'username'>): string {
  const t = useCommonTranslations();
  if (user.username === wayquestCreator.username) return siteName;
  return isDeleted(user) ? t('deletedUser') : user.username;
}

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Whether each word of a text is part of a user's names, ignoring case and accents. */
export function matchesName({ username, firstName, lastName }: PublicUser, text: string): boolean {
  const names = fold([username, firstName, lastName].join(' '));
  return fold(text)
    .split(/\s+/)
    .every((word) => names.includes(word));
}
