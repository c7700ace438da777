export default {
  title: 'People you blocked',
  none: 'You have blocked nobody.',
  lead: 'You and they do not see each other.',
  block: 'Block {username}',
  unblock: 'Unblock',
  unblockName: 'Unblock {username}',
  youBlocked: 'You have blocked {username}.',
  confirm: 'Block {username}?',
  story:
    'You will not see each other any more: not in searches, on the leaderboard, in challenges or in messages. A friendship ends. {username} is not told, and you can unblock in your profile.',
  doBlock: 'Block',
  rather: 'Cancel',
} as const;
