import type { Chinese } from '../english.ts';

export default {
  missing: '请填写这一项。',
  choose: '请选择一项。',
  noEmail: '请填写邮箱地址，例如 name@example.com。',
  tooShort: '请至少输入 {count} 个字符。',
  noNumber: '请填写 {min} 到 {max} 之间的整数。',
  noDate: '请填写有效的日期。',
} satisfies Chinese<'validation'>;
