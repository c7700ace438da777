import type { Chinese } from '../english.ts';

export default {
  loading: '正在加载{what}',
  retry: '再试一次',
  new: '条新消息',
  language: '语言',
  justNow: '刚刚',
  outOfReach: '连不上 Wayquest。请检查网络后再试。',
  broken: '我们这边出了点问题，请再试一次。',
} satisfies Chinese<'common'>;
