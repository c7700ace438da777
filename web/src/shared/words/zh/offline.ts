import type { Chinese } from '../english.ts';

export default {
  offline: '你已离线，这里显示的是上次加载的内容。',
  missing: '你已离线，而这里之前没有加载过。请连接网络后再试。',
} satisfies Chinese<'offline'>;
