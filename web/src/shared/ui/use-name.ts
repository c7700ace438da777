import { deletedUsername, type PublicUser } from '@wayquest/contracts';
import { useCommonTranslations } from '../i18n/common.ts';

/** The texts of a deleted user remain. */
export const isDeleted = ({ username }: Pick<PublicUser, 'username'>): boolean =>
  username === deletedUsername;

/** The displayed name of a user. */
export function useName(user: Pick<PublicUser, 'username'>): string {
  const t = useCommonTranslations();
  return isDeleted(user) ? t('deletedUser') : user.username;
}
