export default {
  deleteAll: 'Delete all challenges of {username}',
  deleteAllTitle: 'Delete all that {username} made?',
  deleteAllStory:
    'Every challenge of {username} goes, whoever takes part, and so do the points that anybody earned with them. This cannot be undone.',
  deleteThem: 'Delete them',
  keepThem: 'Keep them',
  allDeleted_one: '{count} challenge of {username} is deleted.',
  allDeleted_other: '{count} challenges of {username} are deleted.',
} as const;
