import type { Chinese } from '../english.ts';

export default {
  where: '你想探索哪里？',
  whereDescription: '这样就能显示你附近的挑战。',
  notStored: '你的位置不会被保存。',
  here: '使用我的位置',
  positionDenied: '浏览器不允许使用你的位置。请改为填写城镇。',
  positionFailed: '没能找到你的位置。请改为填写城镇。',
  town: '或者输入一个城镇',
  aTown: '城镇',
  townHint: '它会显示在你的个人资料里。',
  thisTown: '探索这个城镇',
  skip: '跳过',
  interests: '你对什么感兴趣？',
  show: '显示三个挑战',
  suggestionsTitle: '先从这三个开始',
  none: '还没有开放的挑战',
  noneNear: '你附近还没有挑战',
  beFirst: '这里还没有人开始，选一个，做第一个吧。',
  noneOfKind: '你附近没有已知的 {kinds}，下面这些离你很近。',
  add: '发起挑战',
  done: '跳过，我自己看看',
} satisfies Chinese<'welcome'>;
