import type { Chinese } from '../english.ts';

export default {
  search: '搜索',
  searchPlaceholder: '用户名、名字或姓氏',
  clearSearch: '清空搜索',
  suggested: '你可能认识的人',
  found: '搜索结果',
  foundUsers: '找到的用户',
  foundCount_other: '找到 {count} 位用户',
  nobodyFound: '没有符合“{text}”的用户。试试名字的一部分。',
  nobodySuggested: '暂时没有可推荐的人。',
  friendsFound_other: '找到 {count} 位好友',
  noFriendFound: '没有符合“{text}”的好友。试试名字的一部分。',
} satisfies Chinese<'search'>;
