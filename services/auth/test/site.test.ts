import { createClient } from '@wayquest/contracts';
import {
  codeOf,
  confirmAddress,
  member,
  newestMail,
  newName,
  password,
  type RunningAuth,
  startAuth,
} from './auth-service.ts';

/** Every character that HTML, mail headers or patterns of replacements could misread. */
const name = `<b>"Fox" & 'Goat'</b> $&`;
let auth: RunningAuth;
beforeAll(async () => {
  auth = await startAuth({ site: { name, language: 'zh' } });
});
afterAll(() => auth.stop());

/** Sends a link for a new password to a member who has confirmed an address, in the language that the browser asks for. */
async function resetMail(at: RunningAuth, language?: string) {
  const email = `${newName()}@people.example`;
  const { token } = await member(at);
  const client = createClient({
    baseUrl: at.url,
    headers: (): Record<string, string> => (language === undefined ? {} : { 'accept-language': language }),
  });
  await confirmAddress(at, { token }, email);
  await client.forgotPassword({ body: { email } });
  return newestMail(at, email, 2);
}

it('mails have the name of the installation in their subject, their text and at their end, as it is', async () => {
  const mail = await resetMail(auth, 'en-US,en;q=0.9');
  expect(mail?.subject).toBe(`Reset your ${name} password`);
  expect(mail?.text).toMatch(/^Hello /);
  expect(mail?.text.endsWith(`\n\n${name}\n`)).toBe(true);
  expect(mail?.text).not.toContain('Wayquest');
});

it.each([
  ['asks for no language', undefined],
  ['asks for another language', 'fr-FR,fr;q=0.9'],
  ['asks for any language', '*'],
])('a mail is in the language of the installation if the browser %s', async (_, language) => {
  expect(await resetMail(auth, language)).toMatchObject({
    subject: `重设 ${name} 密码`,
    text: expect.stringContaining('你好：'),
  });
});

it('a Chinese name has no spaces beside Chinese characters', async () => {
  const other = await startAuth({ site: { name: '海边小路', language: 'zh' } });
  try {
    expect((await resetMail(other))?.subject).toBe('重设海边小路密码');
  } finally {
    await other.stop();
  }
});

it('nobody can have the name of the installation as a username, except where that says nothing', async () => {
  const signUp = (at: RunningAuth, username: string) =>
    codeOf(at.client.signup({ body: { username, password } }));
  const other = await startAuth({ site: { name: 'Wege e.V.', language: 'en' } });
  try {
    for (const username of ['wegeev', 'Wege-E.V', 'w3ge_ev'])
      expect([username, await signUp(other, username)]).toEqual([username, 'username-taken']);
    expect(await signUp(other, 'wegefan')).toBe('done');
  } finally {
    await other.stop();
  }
  const short = await startAuth({ site: { name: '小路 ab', language: 'zh' } });
  try {
    expect(await signUp(short, 'abc')).toBe('done');
  } finally {
    await short.stop();
  }
});

it('browsers that make a passkey are told the name of the installation', async () => {
  const { token } = await member(auth);
  const creation = await auth.client.startPasskey({ body: { currentPassword: password } }, { token });
  expect(creation.rp.name).toBe(name);
});
