import { firstDay, lastDay } from '@wayquest/contracts';

/** The fields that services name in validation errors. */
const fields: Record<string, string> = {
  username: '用户名',
  password: '密码',
  currentPassword: '当前密码',
  newPassword: '新密码',
  email: '邮箱',
  firstName: '名字',
  lastName: '姓氏',
  streetAddress: '街道地址',
  city: '城市',
  state: '州/省',
  zip: '邮编',
  name: '名称',
  description: '描述',
  difficulty: '难度',
  points: '积分',
  startDate: '开始日期',
  endDate: '结束日期',
  locationName: '地点名称',
  checkInRequired: '签到要求',
  text: '消息',
  note: '留言',
  comment: '说明',
  reason: '理由',
  id: '内容',
  search: '搜索内容',
  friendId: '好友',
  userId: '用户',
};

/** Validation errors by the services' English sentences; {count} stands for a number. */
const reasons: Record<string, string> = {
  'must have 3 to 30 letters, digits, dots, underscores or hyphens':
    '须为 3 到 30 个字母、数字、点、下划线或连字符',
  'must have at least {count} characters': '至少要有 {count} 个字符',
  'must have at most {count} characters': '最多 {count} 个字符',
  'must not be the username': '不能与用户名相同',
  'is too common; please choose another': '太常见，请换一个',
  'must be an email address': '须为邮箱地址',
  'must not be empty': '不能为空',
  'must contain a visible character': '须含有看得见的字符',
  'must not contain control characters': '不能含有控制字符',
  'must be a number': '须为数字',
  'must be a whole number': '须为整数',
  'must not be before the start date': '不能早于开始日期',
  'needs a place on the map': '需要地图上的位置',
  'cannot be yourself': '不能是你自己',
  'cannot be your own': '是你自己的',
  'must be a picture': '须为图片',
  'must not be blocked beyond the limit of {count}: unblock someone first':
    '不能再屏蔽：最多 {count} 人，请先解除一人',
  [`must be from ${firstDay} to ${lastDay}`]: `须在 ${firstDay} 到 ${lastDay} 之间`,
  'Too small: expected number to be >={count}': '不能小于 {count}',
  'Too big: expected number to be <={count}': '不能大于 {count}',
  'Too big: expected string to have <={count} characters': '最多 {count} 个字符',
  'Too small: expected string to have >={count} characters': '至少要有 {count} 个字符',
};

/** Separates the errors of two fields. */
const nextField = /; (?=\w+ (?:must|needs|is|Too) )/;

/** Translates a service's sentence about invalid fields; undefined if a part of it has no translation. */
export function chineseReasons(sentence: string): string | undefined {
  const translated = sentence
    .replace(/\.$/, '')
    .split(nextField)
    .map((part) => {
      const [, first = '', others = '', reason = ''] = /^(\w)(\w*) (.+)$/.exec(part) ?? [];
      const field = fields[first.toLowerCase() + others];
      const [count = ''] = /\d+/.exec(reason) ?? [];
      const known = reasons[reason] ?? reasons[reason.replace(/\d+/, '{count}')];
      return field && known && field + known.replace('{count}', count);
    });
  return translated.every(Boolean) ? `${translated.join('；')}。` : undefined;
}
