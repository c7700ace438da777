import type { Chinese } from '../english.ts';

export default {
  loading: '正在加载{what}',
  retry: '再试一次',
  points_other: '{count} 分',
  challenges: '挑战',
  new: '条新消息',
  language: '语言',
  justNow: '刚刚',
  username: '用户名',
  showTyped: '显示我输入的内容',
  streetAddress: '街道地址',
  city: '城市',
  state: '州/省',
  zip: '邮编',
  findUsers: '找用户',
  positionDenied: '浏览器没有透露你的位置。请改为搜索地址。',
  positionFailed: '没能找到你的位置。请改为搜索地址。',
  noFriends: '还没有好友，去认识几个吧！',
  outOfReach: '连不上 Wayquest。请检查网络后再试。',
  broken: '我们这边出了点问题，请再试一次。',
  deletedUser: '已注销用户',
} satisfies Chinese<'common'>;
