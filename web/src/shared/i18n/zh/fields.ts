import type { Chinese } from '../english.ts';

export default {
  showTyped: '显示我输入的内容',
  streetAddress: '街道地址',
  city: '城市',
  state: '州/省',
  stateIfAny: '州/省（没有可不填）',
  zip: '邮编',
  stillNeeded: '还需填写：{fields}',
  orDash: '{field}（没有可填“–”）',
  nothingChanged: '还没有改动。',
  tooLong: '{length} / {limit} 字：请删去 {count} 字',
  lettersOf: '{length} / {limit} 字',
} satisfies Chinese<'fields'>;
