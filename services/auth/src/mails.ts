import { fillInChinese, isolateDirection, type PasswordLogin } from '@wayquest/contracts';
import type { Mailer, MailLanguage } from '@wayquest/platform/mail';
import type { PasswordlessMethods } from './login-methods.ts';

/** A mail's recipient. */
export interface Recipient {
  /** Their account's. */
  id: number;
  to: string;
  username: string;
  language: MailLanguage;
}

type MailText = [subject: string, ...lines: string[]];

interface MailTexts {
  greeting(username: string): string;
  reset(link: string): MailText;
  confirm(link: string): MailText;
  /** Where to log in, and the link that confirms the address. */
  approved(loginPage: string, link: string): MailText;
  accountCreated(link: string): MailText;
  passwordChanged: MailText;
  /** The ways to log in without the password, and where to remove them. */
  otherLoginMethods(methods: PasswordlessMethods, link: string): string;
  usernameChanged(before: string): MailText;
  emailChanged: MailText;
  googleLinked: MailText;
  googleUnlinked: MailText;
  /** The name is that of the provider, if it has one. */
  openIdLinked(name: string | undefined): MailText;
  openIdUnlinked(name: string | undefined): MailText;
  passkeyAdded(name: string): MailText;
  passkeyRemoved(name: string): MailText;
  deletion(day: string): MailText;
}

/** What a text says of passwords: how to get a new one, or how to keep others out where passwords are off. */
interface Advice {
  /** If somebody else did it, who may have the password. The clause is what to do besides. */
  notYou(besides?: string): string;
  /** The same where the person can still log in. */
  checkSettings: string;
  /** What a confirmed address is good for. */
  resets: string;
}

/** The advice of each language. */
const advice: Record<MailLanguage, Record<PasswordLogin, Advice>> = {
  en: {
    on: {
      notYou: (besides) =>
        besides
          ? `If this wasn't you, choose a new password right away (“Forgot your password?” on the login page), and ${besides}.`
          : "If this wasn't you, choose a new password right away: “Forgot your password?” on the login page.",
      checkSettings: "If this wasn't you, log in, check your settings and choose a new password right away.",
      resets: ' If you forget your password, we can then send you a reset link:',
    },
    off: {
      notYou: (besides) =>
        besides
          ? `If this wasn't you, ${besides} right away, and log out of all devices there.`
          : "If this wasn't you, log in, check your settings and log out of all devices there.",
      checkSettings: "If this wasn't you, log in, check your settings and log out of all devices there.",
      resets: '',
    },
  },
  zh: {
    on: {
      notYou: (besides) =>
        `如果不是你本人操作，请立即在登录页点击“忘记密码？”重设密码${besides ? `，并${besides}` : ''}。`,
      checkSettings: '如果不是你本人操作，请立即登录，查看设置并修改密码。',
      resets: '忘记密码时，我们会向这里发送链接：',
    },
    off: {
      notYou: (besides) => `如果不是你本人操作，请立即登录，${besides ?? '查看设置'}，并退出所有设备。`,
      checkSettings: '如果不是你本人操作，请立即登录，查看设置并退出所有设备。',
      resets: '',
    },
  },
};

/** The texts for the name of an installation. */
const mailTexts: Record<MailLanguage, (site: string, advice: Advice) => MailTexts> = {
  en: (site, { notYou, checkSettings, resets }) => ({
    greeting: (username) => `Hello ${username},`,
    reset: (link) => [
      `Reset your ${site} password`,
      'Someone (probably you) asked to reset the password of your account. Choose a new one within an hour:',
      link,
      "The link works once. If this wasn't you, you can ignore this email: your password stays the same.",
    ],
    confirm: (link) => [
      'Confirm your email address',
      `Please confirm within three days that this is your email address.${resets}`,
      link,
      `If you don't have a ${site} account, someone mistyped their address: you can ignore this email.`,
    ],
    approved: (loginPage, link) => [
      'Your account was approved',
      `Welcome to ${site}! You can log in now: ${loginPage}`,
      `Please confirm within three days that this is your email address.${resets}`,
      link,
      `If you don't have a ${site} account, someone mistyped their address: you can ignore this email.`,
    ],
    accountCreated: (link) => [
      `You have a ${site} account`,
      `An admin of ${site} created an account with this username for you. Choose a password for it within three days:`,
      link,
      "The link works once, and confirms your email address. If you don't want an account, you can ignore this email.",
    ],
    passwordChanged: [
      'Your password was changed',
      `The password of your ${site} account was just changed, and you were logged out on all other devices.`,
      notYou(),
    ],
    otherLoginMethods: ({ google, openId, passkeys }, link) => {
      const methods = [
        ...passkeys.map((name) => `the passkey “${name}”`),
        ...(google ? ['the linked Google account'] : []),
        ...(openId ? ['single sign-on'] : []),
      ];
      return `Besides the password, these can be used to log in: ${methods.join(', ')}. If one of them isn't yours, remove it in your settings: ${link}`;
    },
    usernameChanged: (before) => [
      'Your username was changed',
      `Your username was ${before} until now. Log in with your new username.`,
      notYou(),
    ],
    emailChanged: [
      'Your email address was changed',
      `This is no longer the email address of your ${site} account. Password reset links are no longer sent here.`,
      checkSettings,
    ],
    googleLinked: [
      'Google was linked to your account',
      `A Google account was just linked to your ${site} account. Anyone who can sign in to it can log in to your account.`,
      notYou('unlink Google in your settings'),
    ],
    googleUnlinked: [
      'Google was unlinked from your account',
      `The Google account that was linked to your ${site} account can no longer be used to log in.`,
      notYou(),
    ],
    openIdLinked: (name = 'single sign-on') => [
      'Another login was linked to your account',
      `A login with ${name} was just linked to your ${site} account. Anyone who can use it can log in to your account.`,
      "If this wasn't you, unlink it in your settings right away, and log out of all devices there.",
    ],
    openIdUnlinked: (name = 'single sign-on') => [
      'A login was unlinked from your account',
      `Your login with ${name} can no longer be used to log in to your ${site} account.`,
      "If this wasn't you, log in, check your settings and log out of all devices there.",
    ],
    passkeyAdded: (name) => [
      'A passkey was added to your account',
      `The passkey “${name}” was just added to your ${site} account. Anyone who has it can log in without a password.`,
      notYou('remove the passkey in your settings'),
    ],
    passkeyRemoved: (name) => [
      'A passkey was removed from your account',
      `The passkey “${name}” can no longer be used to log in to your ${site} account.`,
      notYou(),
    ],
    deletion: (day) => [
      'Your account will be deleted',
      `As you asked, your ${site} account will be deleted on ${day} (UTC), with your profile, your picture and your points. You were logged out everywhere.`,
      'If you change your mind, log in before that day to keep it.',
      checkSettings,
    ],
  }),
  zh: (site, { notYou, checkSettings, resets }) => ({
    greeting: (username) => `${username}，你好：`,
    reset: (link) => [
      `重设${site}密码`,
      '有人（可能是你）想为你的账号设置新密码。请在一小时内打开此链接：',
      link,
      '链接只能使用一次。如果不是你本人操作，无需理会，你的密码不会改变。',
    ],
    confirm: (link) => [
      '请确认你的邮箱',
      `请在三天内确认这是你的邮箱。${resets}`,
      link,
      `如果你没有${site}账号，可能是别人填错了邮箱，无需理会。`,
    ],
    approved: (loginPage, link) => [
      '你的账号已获批准',
      `欢迎！现在可以登录${site}了：${loginPage}`,
      `请在三天内确认这是你的邮箱。${resets}`,
      link,
      `如果你没有${site}账号，可能是别人填错了邮箱，无需理会。`,
    ],
    accountCreated: (link) => [
      `你有了一个${site}账号`,
      `一位管理员用上面的用户名为你创建了${site}账号。请在三天内打开此链接设置密码：`,
      link,
      '链接只能使用一次，并会确认你的邮箱。如果你不需要账号，无需理会。',
    ],
    passwordChanged: ['你的密码已修改', `你的${site}账号密码刚刚被修改，其他设备已退出登录。`, notYou()],
    otherLoginMethods: ({ google, openId, passkeys }, link) => {
      const methods = [
        ...passkeys.map((name) => `通行密钥“${name}”`),
        ...(google ? ['已关联的 Google 账号'] : []),
        ...(openId ? ['单点登录'] : []),
      ];
      return `以下方式仍可不用密码登录你的账号：${methods.join('、')}。如果其中有不属于你的，请在设置中移除：${link}`;
    },
    usernameChanged: (before) => [
      '你的用户名已修改',
      `你之前的用户名是 ${before}，现在请使用新用户名登录。`,
      notYou(),
    ],
    emailChanged: [
      '你的邮箱已更改',
      `此邮箱不再是你的${site}账号邮箱，重设密码的链接不会再发到这里。`,
      checkSettings,
    ],
    googleLinked: [
      '你的账号已关联 Google',
      `刚刚有一个 Google 账号与你的${site}账号关联：用它登录 Google 的人可以进入你的账号。`,
      notYou('在设置中取消关联 Google'),
    ],
    googleUnlinked: [
      '你的账号已取消关联 Google',
      `之前关联的 Google 账号不能再用来登录你的${site}账号。`,
      notYou(),
    ],
    openIdLinked: (name = '单点登录') => [
      '你的账号关联了另一种登录方式',
      `刚刚有一个登录方式（${name}）与你的${site}账号关联：能使用它的人可以进入你的账号。`,
      '如果不是你本人操作，请立即在设置中取消关联，并退出所有设备。',
    ],
    openIdUnlinked: (name = '单点登录') => [
      '你的账号取消了一种登录方式',
      `你的登录方式（${name}）不能再用来登录你的${site}账号。`,
      '如果不是你本人操作，请立即登录，查看设置并退出所有设备。',
    ],
    passkeyAdded: (name) => [
      '你的账号添加了通行密钥',
      `你的${site}账号刚刚添加了通行密钥“${name}”：持有它的人无需密码即可登录。`,
      notYou('在设置中移除这个通行密钥'),
    ],
    passkeyRemoved: (name) => [
      '你的账号移除了通行密钥',
      `通行密钥“${name}”不能再用来登录你的${site}账号。`,
      notYou(),
    ],
    deletion: (day) => [
      '你的账号将被删除',
      `按照你的请求，你的${site}账号将于 ${day}（UTC）删除，包括个人资料、头像和积分。你已在所有设备上退出登录。`,
      '如果改变主意，请在那天之前登录，账号就会保留。',
      checkSettings,
    ],
  }),
};

/** The mails of auth, each in the language of the call that causes it, or of the sign-up that waited for approval. */
export interface Mails {
  reset(recipient: Recipient, token: string): void;
  confirm(recipient: Recipient, token: string): void;
  approved(recipient: Recipient, token: string): void;
  accountCreated(recipient: Recipient, token: string): void;
  passwordChanged(recipient: Recipient, methods: PasswordlessMethods): void;
  usernameChanged(recipient: Recipient, before: string): void;
  emailChanged(recipient: Recipient): void;
  googleLinked(recipient: Recipient): void;
  googleUnlinked(recipient: Recipient): void;
  openIdLinked(recipient: Recipient): void;
  openIdUnlinked(recipient: Recipient): void;
  passkeyAdded(recipient: Recipient, name: string): void;
  passkeyRemoved(recipient: Recipient, name: string): void;
  deletion(recipient: Recipient, deletesAt: Date): void;
  /** Mails for somebody that are stored as files. */
  erase: (recipientId: number) => Promise<void>;
}

/**
 * Creates the mails of this service in the recipient's language.
 *
 * @param options - `siteName`: what the installation is called; `webAppUrl`: the address of the web app that links lead
 *   to; `openIdName`: what the OpenID Connect provider is called; `passwordLogin`: whether people other than admins have
 *   passwords that mails can advise about.
 */
export function createMails({
  mailer,
  siteName,
  webAppUrl,
  openIdName,
  passwordLogin,
}: {
  mailer: Mailer;
  siteName: string;
  webAppUrl: string;
  openIdName: string | undefined;
  passwordLogin: PasswordLogin;
}): Mails {
  const site = isolateDirection(siteName);
  const texts = {
    en: mailTexts.en(site, advice.en[passwordLogin]),
    // With the spaces that a name beside Chinese characters needs.
    zh: mailTexts.zh(
      fillInChinese(' {site} ', () => site),
      advice.zh[passwordLogin],
    ),
  };
  const send = ({ id, to, username, language }: Recipient, selectText: (own: MailTexts) => MailText) => {
    const own = texts[language];
    const [subject, ...lines] = selectText(own);
    const text = `${[own.greeting(username), ...lines, site].join('\n\n')}\n`;
    mailer.send({ to, subject, text, recipientId: id });
  };
  // In the fragment, which no server receives and no log contains.
  const linkTo = (path: string, token: string) => `${webAppUrl}${path}#token=${token}`;

  return {
    reset: (recipient: Recipient, token: string) =>
      send(recipient, ({ reset }) => reset(linkTo('/reset', token))),
    confirm: (recipient: Recipient, token: string) =>
      send(recipient, ({ confirm }) => confirm(linkTo('/confirm-email', token))),
    approved: (recipient: Recipient, token: string) =>
      send(recipient, ({ approved }) => approved(`${webAppUrl}/login`, linkTo('/confirm-email', token))),
    accountCreated: (recipient: Recipient, token: string) =>
      send(recipient, ({ accountCreated }) => accountCreated(linkTo('/reset', token))),
    passwordChanged: (recipient: Recipient, methods: PasswordlessMethods) =>
      send(recipient, ({ passwordChanged: [subject, ...lines], otherLoginMethods }) => [
        subject,
        ...lines,
        ...(methods.google || methods.openId || methods.passkeys.length
          ? [otherLoginMethods(methods, `${webAppUrl}/settings#login`)]
          : []),
      ]),
    usernameChanged: (recipient: Recipient, before: string) =>
      send(recipient, ({ usernameChanged }) => usernameChanged(before)),
    emailChanged: (recipient: Recipient) => send(recipient, ({ emailChanged }) => emailChanged),
    googleLinked: (recipient: Recipient) => send(recipient, ({ googleLinked }) => googleLinked),
    googleUnlinked: (recipient: Recipient) => send(recipient, ({ googleUnlinked }) => googleUnlinked),
    openIdLinked: (recipient: Recipient) => send(recipient, ({ openIdLinked }) => openIdLinked(openIdName)),
    openIdUnlinked: (recipient: Recipient) =>
      send(recipient, ({ openIdUnlinked }) => openIdUnlinked(openIdName)),
    passkeyAdded: (recipient: Recipient, name: string) =>
      send(recipient, ({ passkeyAdded }) => passkeyAdded(isolateDirection(name))),
    passkeyRemoved: (recipient: Recipient, name: string) =>
      send(recipient, ({ passkeyRemoved }) => passkeyRemoved(isolateDirection(name))),
    deletion: (recipient: Recipient, deletesAt: Date) =>
      send(recipient, ({ deletion }) =>
        deletion(deletesAt.toLocaleDateString(recipient.language, { dateStyle: 'long', timeZone: 'UTC' })),
      ),
    erase: mailer.erase,
  };
}
