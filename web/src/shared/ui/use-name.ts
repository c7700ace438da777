import { deletedUsername, type PublicUser } from '@wayquest/contracts';
import { useCommonTranslations } from '../i18n/common.ts';

/** What somebody wrote stays once their account is deleted. */
export const isDeleted = ({ username }: Pick<PublicUser, 'username'>): boolean =>
  username === deletedUsername;

/** How somebody is called. */
export function useName(user: Pick<PublicUser, 'username'>): string {
  const t = useCommonTranslations();
  return isDeleted(user) ? t('deletedUser') : user.username;
}
