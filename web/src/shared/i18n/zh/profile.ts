import type { Chinese } from '../english.ts';

export default {
  settings: '设置',
  edit: '编辑',
  tab: '个人资料',
  yours: '你的个人资料',
  points_other: '{count} 分',
  earned_other: '完成了！得到 {count} 分。',
  earnedBefore: '完成了！它的积分之前已经给过你。',
  changePicture: '更换头像',
  pictureChanged: '头像已更新。',
  updateDetails: '更新个人资料',
  update: '更新',
  updated: '个人资料已更新。',
  currentPassword: '当前密码（修改登录信息时需要）',
  email: '邮箱',
  firstName: '名字',
  lastName: '姓氏',
} satisfies Chinese<'profile'>;
