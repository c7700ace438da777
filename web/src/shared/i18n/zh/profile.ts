import type { Chinese } from '../english.ts';

export default {
  settings: '设置',
  tab: '个人资料',
  yours: '你的个人资料',
  points_other: '{count} 分',
  earned_other: '完成了！得到 {count} 分。',
  earnedBefore: '完成了！它的积分之前已经给过你。',
  changePicture: '更换头像',
  pictureChanged: '头像已更新。',
  pictureUnread: '这个浏览器无法读取这张图片。请选择不超过 1 MB 的 JPEG、PNG 或 WebP 图片，或者它的截图。',
  pictureNotShrunk:
    '你的浏览器的隐私保护不允许绘制图片，所以这里无法缩小这张图片。请选择不超过 1 MB 的 JPEG、PNG 或 WebP 图片。',
  updateDetails: '更新个人资料',
  update: '更新',
  updated: '个人资料已更新。',
  currentPassword: '当前密码（修改登录信息时需要）',
  email: '邮箱',
  firstName: '名字',
  lastName: '姓氏',
} satisfies Chinese<'profile'>;
