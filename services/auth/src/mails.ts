import { isolated } from '@wayquest/contracts';
import type { Mailer, MailLanguage } from '@wayquest/platform/mail';
import type { WithoutPassword } from './ways-in.ts';

/** Whom a mail is for. */
export interface Addressee {
  /** Their account's. */
  id: number;
  to: string;
  username: string;
  language: MailLanguage;
}

type Letter = [subject: string, ...lines: string[]];

interface Letters {
  greeting(username: string): string;
  reset(link: string): Letter;
  confirm(link: string): Letter;
  passwordChanged: Letter;
  /** What still lets in without the password, and where that is taken away. */
  without(ways: WithoutPassword, link: string): string;
  usernameChanged(before: string): Letter;
  emailChanged: Letter;
  googleLinked: Letter;
  googleUnlinked: Letter;
  passkeyAdded(name: string): Letter;
  passkeyRemoved(name: string): Letter;
  deletion(day: string): Letter;
}

const letters: Record<MailLanguage, Letters> = {
  en: {
    greeting: (username) => `Hello ${username},`,
    reset: (link) => [
      'A new password for Wayquest',
      'somebody, probably you, wants a new password for your account. Choose it here within an hour:',
      link,
      'The link works once. If it was not you, there is nothing to do: your password stays as it is.',
    ],
    confirm: (link) => [
      'Is this your address?',
      'please confirm within three days that this address is yours. Should you forget your password, the way back in goes there:',
      link,
      'If you have no account at Wayquest, somebody mistyped theirs: there is nothing to do.',
    ],
    passwordChanged: [
      'Your password was changed',
      'the password of your account at Wayquest was changed just now, and you were logged out everywhere else.',
      'If it was not you, choose a new one at once: “Forgot your password?” on the page where you log in.',
    ],
    without: ({ google, passkeys }, link) => {
      const ways = [
        ...passkeys.map((name) => `the passkey “${name}”`),
        ...(google ? ['the Google account that is linked'] : []),
      ];
      return `Without the password, this still gets into your account: ${ways.join(', ')}. If one of them is not yours, remove it on your profile: ${link}`;
    },
    usernameChanged: (before) => [
      'Your username was changed',
      `you were ${before} until just now; you log in with your new username.`,
      'If it was not you, choose a new password at once: “Forgot your password?” on the page where you log in.',
    ],
    emailChanged: [
      'Your e-mail address was changed',
      'this is no longer the address of your account at Wayquest; links for a new password do not come here any more.',
      'If it was not you, log in, look at your profile and choose a new password at once.',
    ],
    googleLinked: [
      'Google was linked with your account',
      'a Google account was linked with your account at Wayquest just now: whoever signs in with it at Google gets in.',
      'If it was not you, choose a new password at once (“Forgot your password?” on the page where you log in), and unlink Google on your profile.',
    ],
    googleUnlinked: [
      'Google was unlinked from your account',
      'the Google account that was linked with your account at Wayquest does not get in any more.',
      'If it was not you, choose a new password at once: “Forgot your password?” on the page where you log in.',
    ],
    passkeyAdded: (name) => [
      'A passkey was added to your account',
      `the passkey “${name}” was added to your account at Wayquest just now: whoever has it gets in without a password.`,
      'If it was not you, choose a new password at once (“Forgot your password?” on the page where you log in), and remove the passkey on your profile.',
    ],
    passkeyRemoved: (name) => [
      'A passkey was removed from your account',
      `the passkey “${name}” does not get into your account at Wayquest any more.`,
      'If it was not you, choose a new password at once: “Forgot your password?” on the page where you log in.',
    ],
    deletion: (day) => [
      'Your account will be deleted',
      `as you asked, your account at Wayquest will be deleted on ${day} (UTC), with your profile, your picture and your points. You were logged out everywhere.`,
      'If you change your mind, log in before that day: then it stays.',
      'If it was not you, log in and choose a new password at once.',
    ],
  },
  zh: {
    greeting: (username) => `${username}，你好：`,
    reset: (link) => [
      '重设 Wayquest 密码',
      '有人（可能是你）想为你的账号设置新密码。请在一小时内打开此链接：',
      link,
      '链接只能使用一次。如果不是你本人操作，无需理会，你的密码不会改变。',
    ],
    confirm: (link) => [
      '请确认你的邮箱',
      '请在三天内确认这是你的邮箱。忘记密码时，我们会向这里发送链接：',
      link,
      '如果你没有 Wayquest 账号，可能是别人填错了邮箱，无需理会。',
    ],
    passwordChanged: [
      '你的密码已修改',
      '你的 Wayquest 账号密码刚刚被修改，其他设备已退出登录。',
      '如果不是你本人操作，请立即在登录页点击“忘记密码？”重设密码。',
    ],
    without: ({ google, passkeys }, link) => {
      const ways = [
        ...passkeys.map((name) => `通行密钥“${name}”`),
        ...(google ? ['已关联的 Google 账号'] : []),
      ];
      return `以下方式仍可不用密码登录你的账号：${ways.join('、')}。如果其中有不属于你的，请在个人资料中移除：${link}`;
    },
    usernameChanged: (before) => [
      '你的用户名已修改',
      `你之前的用户名是 ${before}，现在请使用新用户名登录。`,
      '如果不是你本人操作，请立即在登录页点击“忘记密码？”重设密码。',
    ],
    emailChanged: [
      '你的邮箱已更改',
      '此邮箱不再是你的 Wayquest 账号邮箱，重设密码的链接不会再发到这里。',
      '如果不是你本人操作，请立即登录，查看个人资料并修改密码。',
    ],
    googleLinked: [
      '你的账号已关联 Google',
      '刚刚有一个 Google 账号与你的 Wayquest 账号关联：用它登录 Google 的人可以进入你的账号。',
      '如果不是你本人操作，请立即在登录页点击“忘记密码？”重设密码，并在个人资料中取消关联 Google。',
    ],
    googleUnlinked: [
      '你的账号已取消关联 Google',
      '之前关联的 Google 账号不能再用来登录你的 Wayquest 账号。',
      '如果不是你本人操作，请立即在登录页点击“忘记密码？”重设密码。',
    ],
    passkeyAdded: (name) => [
      '你的账号添加了通行密钥',
      `你的 Wayquest 账号刚刚添加了通行密钥“${name}”：持有它的人无需密码即可登录。`,
      '如果不是你本人操作，请立即在登录页点击“忘记密码？”重设密码，并在个人资料中移除这个通行密钥。',
    ],
    passkeyRemoved: (name) => [
      '你的账号移除了通行密钥',
      `通行密钥“${name}”不能再用来登录你的 Wayquest 账号。`,
      '如果不是你本人操作，请立即在登录页点击“忘记密码？”重设密码。',
    ],
    deletion: (day) => [
      '你的账号将被删除',
      `按照你的请求，你的 Wayquest 账号将于 ${day}（UTC）删除，包括个人资料、头像和积分。你已在所有设备上退出登录。`,
      '如果改变主意，请在那天之前登录，账号就会保留。',
      '如果不是你本人操作，请立即登录并修改密码。',
    ],
  },
};

export type Mails = ReturnType<typeof createMails>;

/** What auth writes to people, each in their language. `home` is where the links lead. */
export function createMails({ mailer, home }: { mailer: Mailer; home: string }) {
  const send = ({ id, to, username, language }: Addressee, letterIn: (own: Letters) => Letter) => {
    const own = letters[language];
    const [subject, ...lines] = letterIn(own);
    const text = `${[own.greeting(username), ...lines, 'Wayquest'].join('\n\n')}\n`;
    mailer.send({ to, subject, text, whose: id });
  };
  // Behind #, which no server is told and no log holds.
  const linkTo = (path: string, token: string) => `${home}${path}#token=${token}`;

  return {
    reset: (who: Addressee, token: string) => send(who, ({ reset }) => reset(linkTo('/reset', token))),
    confirm: (who: Addressee, token: string) =>
      send(who, ({ confirm }) => confirm(linkTo('/confirm-email', token))),
    passwordChanged: (who: Addressee, ways: WithoutPassword) =>
      send(who, ({ passwordChanged: [subject, ...lines], without }) => [
        subject,
        ...lines,
        ...(ways.google || ways.passkeys.length ? [without(ways, `${home}/profile`)] : []),
      ]),
    usernameChanged: (who: Addressee, before: string) =>
      send(who, ({ usernameChanged }) => usernameChanged(before)),
    emailChanged: (who: Addressee) => send(who, ({ emailChanged }) => emailChanged),
    googleLinked: (who: Addressee) => send(who, ({ googleLinked }) => googleLinked),
    googleUnlinked: (who: Addressee) => send(who, ({ googleUnlinked }) => googleUnlinked),
    passkeyAdded: (who: Addressee, name: string) =>
      send(who, ({ passkeyAdded }) => passkeyAdded(isolated(name))),
    passkeyRemoved: (who: Addressee, name: string) =>
      send(who, ({ passkeyRemoved }) => passkeyRemoved(isolated(name))),
    deletion: (who: Addressee, deletesAt: Date) =>
      send(who, ({ deletion }) =>
        deletion(deletesAt.toLocaleDateString(who.language, { dateStyle: 'long', timeZone: 'UTC' })),
      ),
    /** What was written for somebody and lies here. */
    forget: mailer.forget,
  };
}
