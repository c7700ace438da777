import type { Mailer } from '@wayquest/platform/mail';

export const mailLanguages = ['en', 'zh'] as const;
export type MailLanguage = (typeof mailLanguages)[number];

/** Whom a mail is for. */
export interface Addressee {
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
  usernameChanged(before: string): Letter;
  emailChanged: Letter;
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
  },
  zh: {
    greeting: (username) => `${username}，你好：`,
    reset: (link) => [
      '重设 Wayquest 密码',
      '有人（可能是你）想为你的账户设置新密码。请在一小时内打开此链接：',
      link,
      '链接只能使用一次。如果不是你本人操作，无需理会，你的密码不会改变。',
    ],
    confirm: (link) => [
      '请确认你的邮箱',
      '请在三天内确认这是你的邮箱。忘记密码时，我们会向这里发送链接：',
      link,
      '如果你没有 Wayquest 账户，可能是别人填错了邮箱，无需理会。',
    ],
    passwordChanged: [
      '你的密码已修改',
      '你的 Wayquest 账户密码刚刚被修改，其他设备已退出登录。',
      '如果不是你本人操作，请立即在登录页点击“忘记密码？”重设密码。',
    ],
    usernameChanged: (before) => [
      '你的用户名已修改',
      `你之前的用户名是 ${before}，现在请使用新用户名登录。`,
      '如果不是你本人操作，请立即在登录页点击“忘记密码？”重设密码。',
    ],
    emailChanged: [
      '你的邮箱已更改',
      '此邮箱不再是你的 Wayquest 账户邮箱，重设密码的链接不会再发到这里。',
      '如果不是你本人操作，请立即登录，查看个人资料并修改密码。',
    ],
  },
};

export type Mails = ReturnType<typeof createMails>;

/** What auth writes to people, each in their language. `home` is where the links lead. */
export function createMails({ mailer, home }: { mailer: Mailer; home: string }) {
  const send = ({ to, username, language }: Addressee, letterIn: (own: Letters) => Letter) => {
    const own = letters[language];
    const [subject, ...lines] = letterIn(own);
    mailer.send({ to, subject, text: `${[own.greeting(username), ...lines, 'Wayquest'].join('\n\n')}\n` });
  };
  // Behind #, which no server is told and no log holds.
  const linkTo = (path: string, token: string) => `${home}${path}#token=${token}`;

  return {
    reset: (who: Addressee, token: string) => send(who, ({ reset }) => reset(linkTo('/reset', token))),
    confirm: (who: Addressee, token: string) =>
      send(who, ({ confirm }) => confirm(linkTo('/confirm-email', token))),
    passwordChanged: (who: Addressee) => send(who, ({ passwordChanged }) => passwordChanged),
    usernameChanged: (who: Addressee, before: string) =>
      send(who, ({ usernameChanged }) => usernameChanged(before)),
    emailChanged: (who: Addressee) => send(who, ({ emailChanged }) => emailChanged),
  };
}
