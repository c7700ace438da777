import { deletedUsername } from './deleted-user.ts';

/** Who has created a challenge. */
interface Creator {
  id: number;
  username: string;
}

/**
 * The creator of suggested challenges, who has no account: only admins can change or delete them. Accounts are numbered from
 * 1 on and never come to this id, and no account can have a username that speaks for Wayquest.
 */
export const wayquestCreator: Creator = { id: 2_147_483_647, username: 'Wayquest' };

/** Whether there is an account to link to and to notify. */
export const hasAccount = ({ id, username }: Creator): boolean =>
  id !== wayquestCreator.id && username !== deletedUsername;
