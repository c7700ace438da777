import type { Chinese } from '../english.ts';

export default {
  password: '密码',
  currentPassword: '当前密码',
  newPassword: '新密码',
  newPasswordHint: '至少 8 个字符。其他设备将退出登录。',
  changePassword: '修改密码',
  passwordChanged: '密码已修改，其他设备已退出登录。',
  sessions: '登录的设备',
  sessionsLead: '有你不认识的设备吗？请让它退出登录，并修改密码。',
  theSessions: '登录的设备',
  device: '{system} 上的 {browser}',
  unknownDevice: '未知设备',
  thisDevice: '本设备',
  since: '登录于 {moment}',
  logOut: '退出登录',
  logOutOf: '退出 {device}（登录于 {moment}）',
  logOutEverywhere: '退出所有设备',
  confirmEverywhere: '要退出所有设备（包括本设备）吗？',
  everywhereMeans: '你需要在每台设备上重新登录。',
  cancel: '保持登录',
} satisfies Chinese<'account'>;
