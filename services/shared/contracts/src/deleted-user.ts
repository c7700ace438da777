/** Username of deleted users; no real username contains a space. */
export const deletedUsername = 'Deleted user';
