import type { Chinese } from '../english.ts';

export default {
  checkIn: '用我的位置签到',
  description: '你的位置只和地点比对，不会保存。',
  required: '发起人要求签到：请在地点 {distance} 以内。你的位置不会保存。',
  requiredInArea: '需要签到：请到 {area}。你的位置不会被保存。',
  checkedIn: '已签到',
  notNear: '已完成，但没有签到：离地点太远。',
  notInArea: '已完成，但没有签到：你不在 {area}。',
  positionUnavailable: '已完成，但没有签到：你的设备没能确定位置。',
  positionDenied: '已完成，但没有签到：你的浏览器不允许使用位置。',
  ask: '要求签到',
  askDescription: '只有在地点 {distance} 以内的人才能完成。',
} satisfies Chinese<'checkin'>;
