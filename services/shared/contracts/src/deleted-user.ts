/** Who wrote or made what stays, once their account is deleted: no username has a space. */
export const deletedUsername = 'Deleted user';
