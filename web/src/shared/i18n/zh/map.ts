import type { Chinese } from '../english.ts';

export default {
  several_other: '此处 {count} 个：{names}',
  credit: '© OpenStreetMap 贡献者',
} satisfies Chinese<'map'>;
