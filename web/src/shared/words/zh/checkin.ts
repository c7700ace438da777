import type { Chinese } from '../english.ts';

export default {
  checkIn: '用我的位置签到',
  story: '只和地点比对，不会保存。',
  asked: '发起人要求签到：请在地点 100 米以内。你的位置不会保存。',
  checkedIn: '已签到',
  notNear: '已按你的说法完成：离地点不够近，没有签到。',
  positionKept: '已按你的说法完成：没有得到你的位置。',
  ask: '要求签到',
  askStory: '只有在地点 100 米以内的人才能完成。',
} satisfies Chinese<'checkin'>;
