export default {
  title: 'Blocked users',
  none: "You haven't blocked anyone.",
  lead: "You and the users listed here can't see each other.",
  block: 'Block {username}',
  unblock: 'Unblock',
  unblockName: 'Unblock {username}',
  youBlocked: 'You have blocked {username}.',
  confirm: 'Block {username}?',
  description:
    "You won't see each other in search, on the leaderboard, in challenges or in messages. If you're friends, that ends. {username} won't be notified. You can unblock them in your settings.",
  doBlock: 'Block',
  cancel: 'Cancel',
} as const;
