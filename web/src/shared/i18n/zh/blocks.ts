import type { Chinese } from '../english.ts';

export default {
  title: '你屏蔽的人',
  none: '你没有屏蔽任何人。',
  lead: '你和他们互相看不到对方。',
  block: '屏蔽 {username}',
  unblock: '取消屏蔽',
  unblockName: '取消屏蔽 {username}',
  youBlocked: '你已屏蔽 {username}。',
  confirm: '屏蔽 {username}？',
  description:
    '你们将不再看到对方：搜索、排行榜、挑战和消息里都不会出现。如果是好友，好友关系会结束。{username} 不会收到通知，你可以在设置里取消屏蔽。',
  doBlock: '屏蔽',
  cancel: '取消',
} satisfies Chinese<'blocks'>;
