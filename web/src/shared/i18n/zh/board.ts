import type { Chinese } from '../english.ts';

export default {
  hello: '{username}，接下来去哪儿？',
  rank: '第 {rank} 名',
  month: '本月 {count} 分',
  yours: '进行中',
  noneYours: '还没有进行中的挑战。你加入的挑战会显示在这里。',
  allYours: '你的全部挑战',
  near: '你附近的挑战',
  newest: '地图上的新挑战',
  noneNear: '你附近还没有挑战。第一个由你来发起吧。',
  elsewhere: '你附近还没有挑战。先看看其他地方的新挑战。',
  noneNew: '暂时没有新挑战。下一个由你来发起吧。',
  add: '发起挑战',
  findMore: '查看更多',
  friends: '好友近况',
  completed: '{when}完成',
  noActivity: '你的好友最近没有动态。',
  noneOpen: '现在没有进行中的挑战。来发起第一个吧。',
  seeAll: '查看全部挑战',
  openMap: '打开地图',
  onTheMap: '进行中的挑战的地图',
} satisfies Chinese<'board'>;
