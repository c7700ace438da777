import type { Chinese } from '../english.ts';

export default {
  title: '你到过这里！',
  titleWithoutCheckIn: '完成了！',
  earned_other: '+{count} 分',
  total_other: '共 {count} 分',
  again: '这个挑战的分数你之前已经得到了。',
  climbed: '第 {before} 名 → 第 {after} 名',
  rank: '第 {rank} 名，没有变化',
  next: '附近还有',
  noneNext: '附近的挑战你都完成了。',
  share: '分享图片',
  shareFailed: '图片没能分享出去，请再试一次。',
  noPicture: '你的浏览器的隐私保护不允许绘制图片，所以没有图片可以分享。',
  done: '继续',
  saveAndContinue: '保存并继续',
} satisfies Chinese<'completion'>;
