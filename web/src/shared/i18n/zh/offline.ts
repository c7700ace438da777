import type { Chinese } from '../english.ts';

export default {
  offline: '你已离线，这里显示的是上次保存的内容。',
  missing: '你已离线，而这里没有保存在你的设备上。请重新连接网络后再试。',
} satisfies Chinese<'offline'>;
