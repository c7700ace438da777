import { deletedUsername } from './deleted-user.ts';

/** Who has created a challenge. */
interface Creator {
  id: number;
  username: string;
}

/**
 * The creator of suggested challenges, who has no account: only admins can change or delete them. Account ids start at 1
 * and never reach this id; usernames that impersonate Wayquest are reserved.
 */
export const wayquestCreator: Creator = { id: 2_147_483_647, username: 'Wayquest' };

/** Whether there is an account to link to and to notify. */
export const hasAccount = ({ id, username }: Creator): boolean =>
  id !== wayquestCreator.id && username !== deletedUsername;
