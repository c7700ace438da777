import type { Chinese } from '../english.ts';

export default {
  where: '你想探索哪里？',
  whereStory: '这样看到的都在你附近。你的位置不会被保存。',
  here: '我所在的地方',
  town: '或者一个城镇',
  townHint: '它会显示在你的个人资料里。',
  thisTown: '去那里探索',
  skip: '跳过',
  likes: '你喜欢什么？',
  show: '给我三个',
  three: '先从这三个开始',
  none: '还没有开放的挑战，第一个可以由你来发起。',
  add: '发起挑战',
  done: '我自己看看',
} satisfies Chinese<'welcome'>;
