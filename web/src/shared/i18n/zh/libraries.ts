import type { Chinese } from '../english.ts';

export default {
  title: '开源库',
  lead: 'Wayquest 建立在开源软件之上。以下是这个版本所用到的全部软件包。感谢每一位作者。',
  mapData: '地图数据来自：',
  places: '：城镇与邮编（CC BY 4.0）',
  tiles: '：地图瓦片、地址与近看时的水域（ODbL）',
  coasts: 'Natural Earth 和美国人口普查局：远看时的海岸线与边界（公有领域）',
  running: '运行时使用',
  building: '构建与测试时使用',
  name: '名称',
  version: '版本',
  license: '许可证',
  purpose: '用途',
  usedBy: '用于 {parts}',
} satisfies Chinese<'libraries'>;
