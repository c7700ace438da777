export default {
  deleteAll: 'Delete all challenges by {username} and the points earned',
  deleteAllTitle: "Delete all of {username}'s challenges?",
  deleteAllDescription:
    'This deletes every challenge by {username}, even ones others joined, and removes the points earned from them. This cannot be undone.',
  deleteThem: 'Delete all and remove points',
  cancel: 'Cancel',
  allDeleted_one: 'Deleted {count} challenge by {username}.',
  allDeleted_other: 'Deleted {count} challenges by {username}.',
} as const;
