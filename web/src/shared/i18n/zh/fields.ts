import type { Chinese } from '../english.ts';

export default {
  showTyped: '显示我输入的内容',
  streetAddress: '街道地址',
  city: '城市',
  state: '州/省',
  zip: '邮编',
  tooLong: '{length} / {limit} 字：请删去 {count} 字',
  lettersOf: '{length} / {limit} 字',
} satisfies Chinese<'fields'>;
