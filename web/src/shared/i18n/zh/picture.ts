import type { Chinese } from '../english.ts';

export default {
  unread: '这个浏览器无法读取这张图片。请选择不超过 1 MB 的 JPEG、PNG 或 WebP 图片，或者它的截图。',
  notShrunk:
    '你的浏览器的隐私保护不允许绘制图片，所以这里无法缩小这张图片。请选择不超过 1 MB 的 JPEG、PNG 或 WebP 图片。',
  tooNarrow: '这张图片太窄了。请选择每边至少 64 像素、长度不超过宽度 90 倍的图片。',
} satisfies Chinese<'picture'>;
