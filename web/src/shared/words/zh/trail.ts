import type { Chinese } from '../english.ts';

export default {
  title: '足迹册',
  theBook: '足迹册',
  summary: '总计',
  stamps_other: '{count} 枚印章',
  weeks_other: '连续 {count} 周',
  rests: '每月可以休息两周。',
  towns_other: '{count} 座城镇',
  own_other: '{count} 个自己发起的',
  ownOne: '自己发起',
  park_other: '{count} 个公园',
  museum_other: '{count} 个博物馆',
  cinema_other: '{count} 个电影院',
  club_other: '{count} 个酒吧',
  library_other: '{count} 个图书馆',
  restaurant_other: '{count} 家餐厅',
  attraction_other: '{count} 个景点',
  none: '还没有印章。完成第一个挑战，就有第一枚。',
  more: '翻到下一页',
} satisfies Chinese<'trail'>;
