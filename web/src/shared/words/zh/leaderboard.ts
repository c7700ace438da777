import type { Chinese } from '../english.ts';

export default {
  title: '排行榜',
  lead: '来自世界各地的顶尖玩家！',
  theRanking: '排行榜',
  global: '全球排名',
  ofFriends: '好友排名',
  filter: '筛选：',
  all: '全部排名',
  podium: '领奖台',
  first: '第 1 名',
  second: '第 2 名',
  third: '第 3 名',
  rank: '名次',
  avatar: '头像',
  totalPoints: '总积分',
  you: '你',
  none: '还没有人得分。',
  pages: '排行榜分页',
  page: '第 {page} 页',
  nextPage: '下一页',
  previousPage: '上一页',
} satisfies Chinese<'leaderboard'>;
