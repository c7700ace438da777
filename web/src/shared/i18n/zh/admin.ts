import type { Chinese } from '../english.ts';

export default {
  deleteAll: '删除 {username} 的所有挑战并收回积分',
  deleteAllTitle: '删除 {username} 创建的所有挑战？',
  deleteAllDescription:
    '{username} 的每个挑战都会被删除，无论谁参加了；大家从中获得的积分也会收回。此操作无法撤销。',
  deleteThem: '全部删除并收回积分',
  cancel: '取消',
  allDeleted_other: '已删除 {username} 的 {count} 个挑战。',
} satisfies Chinese<'admin'>;
