import {
  type Notification,
  notificationAddress,
  type PushLanguage,
  type PushMessage,
} from '@wayquest/contracts';

type Say = (who: string, challenge: string, notification: Notification) => string;

/** Each kind as a sentence, in the language of the browser that it is shown in. */
const sentences: Record<PushLanguage, Record<Notification['kind'], Say>> = {
  en: {
    'friend-requested': (who) => `${who} wants to be friends.`,
    'friend-accepted': (who) => `${who} accepted your friend request.`,
    'challenge-joined': (who, challenge) => `${who} joined your challenge “${challenge}”.`,
    'challenge-completed': (who, challenge) => `${who} completed your challenge “${challenge}”.`,
    'challenge-changed': (_, challenge, { change }) =>
      change === 'deleted'
        ? `“${challenge}”, which you joined, was deleted.`
        : change === 'closed'
          ? `“${challenge}”, which you joined, was closed.`
          : `“${challenge}”, which you joined, was changed.`,
    'challenge-ending': (_, challenge) => `“${challenge}” ends within 24 hours.`,
  },
  zh: {
    'friend-requested': (who) => `${who}想加你为好友。`,
    'friend-accepted': (who) => `${who}接受了你的好友请求。`,
    'challenge-joined': (who, challenge) => `${who}加入了你的挑战“${challenge}”。`,
    'challenge-completed': (who, challenge) => `${who}完成了你的挑战“${challenge}”。`,
    'challenge-changed': (_, challenge, { change }) =>
      change === 'deleted'
        ? `你加入的挑战“${challenge}”已被删除。`
        : change === 'closed'
          ? `你加入的挑战“${challenge}”已关闭。`
          : `你加入的挑战“${challenge}”有了变化。`,
    'challenge-ending': (_, challenge) => `“${challenge}”将在 24 小时内结束。`,
  },
};

const others: Record<PushLanguage, (name: string, more: number) => string> = {
  en: (name, more) => (more ? `${name} and ${more} more` : name),
  zh: (name, more) => (more ? `${name}和另外 ${more} 人` : name),
};

/** What a browser is given to show of a notification. */
export function pushMessageOf(notification: Notification, language: PushLanguage): PushMessage {
  const { id, kind, people, count, challenge } = notification;
  const [first] = people;
  const who = first ? others[language](first.username, count - 1) : '';
  return {
    title: 'Wayquest',
    body: sentences[language][kind](who, challenge?.name ?? '', notification),
    url: notificationAddress(notification) ?? '/notifications',
    tag: id,
  };
}
