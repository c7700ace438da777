import type { Chinese } from '../english.ts';

export default {
  flagged: '积分已归你。经过审核之后，才会计入本月的排行榜。',
  ownLimit: '这次没有积分：你自己发起的挑战今天能得的积分已经得满了。',
  removed: '这个挑战已被删除，所得的积分也随之收回。',
  revoked: '经过审核，所得的积分被收回：{reason}',
} satisfies Chinese<'award'>;
