import type { Chinese } from '../english.ts';

export default {
  park: '公园和水边',
  museum: '博物馆',
  cinema: '电影和舞台',
  club: '酒吧和夜店',
  library: '图书馆和书',
  restaurant: '美食和咖啡',
  attraction: '名胜',
} satisfies Chinese<'scenes'>;
