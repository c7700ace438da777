import type { Chinese } from '../english.ts';

export default {
  title: '隐私',
  lead: '用户名、头像和积分对所有人可见，其余由你决定。',
  name: '我的姓名',
  nameDescription: '只有对所有人可见时，别人才能按姓名搜索到你。',
  town: '我所在的城市和州',
  townDescription: '只有对所有人可见时，你才会出现在本地排行榜上。',
  participation: '我参加和完成的挑战，以及我的足迹册',
  participationDescription: '参加人数总会显示，但不会显示是谁。',
  me: '仅自己',
  friends: '我的好友',
  everybody: '所有人',
  requests: '允许别人向我发送好友请求',
  requestsDescription: '关闭后，只能由你发出请求，也不会把你推荐给别人。',
  leaderboards: '在排行榜上显示我',
  leaderboardsDescription: '关闭后，只有你自己能看到你的名次。',
  presence: '向好友显示我在线',
  presenceDescription: '你仍然能看到哪些好友在线。',
} satisfies Chinese<'privacy'>;
