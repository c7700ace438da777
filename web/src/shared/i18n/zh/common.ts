import type { Chinese } from '../english.ts';

export default {
  loading: '正在加载…',
  retry: '再试一次',
  points_other: '{count} 分',
  language: '语言',
  justNow: '刚刚',
  username: '用户名',
  findUsers: '找用户',
  noFriends: '还没有好友，去认识几个吧！',
  unreachable: '连不上 {site}。请检查网络后再试。',
  internalError: '我们这边出了点问题，请再试一次。',
  onlyInMemory: '你的浏览器无法保存这项内容，关闭页面就会丢失。联网之前请不要关闭页面。',
  discard: '丢弃',
  deletedUser: '已注销用户',
} satisfies Chinese<'common'>;
