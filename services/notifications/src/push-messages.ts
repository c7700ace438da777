import {
  challengeNameIn,
  fillInChinese,
  isolateDirection,
  type Notification,
  notificationPath,
  type PushLanguage,
  type PushMessage,
} from '@wayquest/contracts';

type MessageTemplate = (who: string, challenge: string, notification: Notification) => string;

type Decisions = Record<NonNullable<Notification['change']>, string>;

/** Decisions about the reader's content. */
const decisions: Record<PushLanguage, (challenge: string) => Decisions> = {
  en: (challenge) => ({
    hidden: `Your challenge “${challenge}” is hidden. You can appeal.`,
    removed: 'A message of yours was removed. You can appeal.',
    'log-entry-hidden': 'Your note and photo of a completed challenge were hidden. You can appeal.',
    deleted: 'Some of your content was deleted after a report.',
    suspended: 'Your account was suspended.',
    restored: challenge
      ? `Your challenge “${challenge}” is visible again.`
      : 'A decision about you was reversed.',
    upheld: 'We reviewed our decision about you, and it stands.',
    'points-flagged': 'Some of your points will count toward the monthly leaderboard after a review.',
    'points-approved': 'Some of your points were reviewed and approved.',
    'points-revoked': 'Some of your points were revoked. You can read why.',
    edited: '',
    closed: '',
  }),
  zh: (challenge) => ({
    hidden: `你的挑战“${challenge}”已被隐藏。你可以申诉。`,
    removed: '你的一条消息已被移除。你可以申诉。',
    'log-entry-hidden': '你完成一个挑战后的留言和照片已被隐藏。你可以申诉。',
    deleted: '你的一项内容被举报后已被删除。',
    suspended: '你的账号已被暂停使用。',
    restored: challenge ? `你的挑战“${challenge}”已恢复显示。` : '对你作出的一项决定已撤销。',
    upheld: '我们复核过了：原决定不变。',
    'points-flagged': '你的一些积分要经过审核，才会计入当月排行榜。',
    'points-approved': '你的一些积分已经过审核：它们在所有排行榜上都算数。',
    'points-revoked': '你的一些积分被收回了。你可以查看原因。',
    edited: '',
    closed: '',
  }),
};

/** Each kind as a sentence, in the language of the browser that it is shown in. */
const sentences: Record<PushLanguage, Record<Notification['kind'], MessageTemplate>> = {
  en: {
    'friend-requested': (who) => `${who} sent you a friend request.`,
    'friend-accepted': (who) => `${who} accepted your friend request.`,
    'challenge-joined': (who, challenge) => `${who} joined your challenge “${challenge}”.`,
    'challenge-completed': (who, challenge) => `${who} completed your challenge “${challenge}”.`,
    'completion-thanked': (who, challenge) => `${who} thanked you for completing “${challenge}”.`,
    'challenge-changed': (_, challenge, { change }) =>
      change === 'deleted'
        ? `“${challenge}”, which you joined, was deleted.`
        : change === 'closed'
          ? `“${challenge}”, which you joined, was closed.`
          : `“${challenge}”, which you joined, was updated.`,
    'challenge-ending': (_, challenge) => `“${challenge}” ends within 24 hours.`,
    'moderation-decided': (_, challenge, { change }) => decisions.en(challenge)[change ?? 'upheld'],
    'archive-ready': () => 'Your data is ready. You can download it for a day.',
    'archive-failed': () => 'Your data couldn’t be prepared. Please request it again.',
  },
  zh: {
    'friend-requested': (who) => fillInChinese('{who} 向你发送了好友请求。', () => who),
    'friend-accepted': (who) => fillInChinese('{who} 接受了你的好友请求。', () => who),
    'challenge-joined': (who, challenge) => fillInChinese(`{who} 加入了你的挑战“${challenge}”。`, () => who),
    'challenge-completed': (who, challenge) =>
      fillInChinese(`{who} 完成了你的挑战“${challenge}”。`, () => who),
    'completion-thanked': (who, challenge) => fillInChinese(`{who} 感谢你完成了“${challenge}”。`, () => who),
    'challenge-changed': (_, challenge, { change }) =>
      change === 'deleted'
        ? `你加入的挑战“${challenge}”已被删除。`
        : change === 'closed'
          ? `你加入的挑战“${challenge}”已关闭。`
          : `你加入的挑战“${challenge}”有了变化。`,
    'challenge-ending': (_, challenge) => `“${challenge}”将在 24 小时内结束。`,
    'moderation-decided': (_, challenge, { change }) => decisions.zh(challenge)[change ?? 'upheld'],
    'archive-ready': () => '你的数据已准备好，一天之内可以下载。',
    'archive-failed': () => '未能准备好你的数据，请重新请求。',
  },
};

const actorsText: Record<PushLanguage, (name: string, more: number) => string> = {
  en: (name, more) => (more ? `${name} and ${more} more` : name),
  zh: (name, more) => (more ? fillInChinese(`{name} 和另外 ${more} 人`, () => name) : name),
};

/** The push message of a notification, in the browser's language. Its title is the name of the installation. */
export function pushMessageOf(
  notification: Notification,
  { language, title }: { language: PushLanguage; title: string },
): PushMessage {
  const { id, kind, people, count, challenge } = notification;
  const [first] = people;
  const who = first ? actorsText[language](isolateDirection(first.username), count - 1) : '';
  return {
    title,
    body: sentences[language][kind](
      who,
      isolateDirection(challenge ? challengeNameIn(language, challenge) : ''),
      notification,
    ),
    url: notificationPath(notification) ?? '/notifications',
    tag: id,
  };
}
