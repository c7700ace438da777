import type { Chinese } from '../english.ts';

export default {
  tab: '探索你的世界',
  title: '挑战自己，探索你的世界',
  lead: '身边真实的地方，一个出门的理由，到了就有积分。下一个挑战比你想的更近。',
  start: '开始探索',
  signUp: '创建账号',
  openNow: '正在进行',
  about: '{site} 怎么玩',
  make: '发起挑战',
  makeDescription:
    '你知道哪张长椅风景最好，哪面壁画没人留意，哪家图书馆门前有棵适合看书的树。在那里放一个挑战，说说有多难到，让别人去发现你为什么选它。',
  compete: '和好友一较高下',
  competeDescription:
    '每完成一个挑战都能得分：轻松散步十分，认真走一趟三十分。排行榜上看得到谁常出门，前三名站上领奖台，人人都看得见。',
  explore: '探索你身边的地方',
  exploreDescription:
    '那地方你路过了一百次。身边的公园、博物馆、电影院和街角小馆，都能变成一次小小的冒险：挑一个正在进行的挑战，加入，出发，到了就标记完成。',
} satisfies Chinese<'home'>;
