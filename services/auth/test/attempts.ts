import { bodyOf, newName, password, type RunningAuth } from './auth-service.ts';

export const minute = (max: number) => ({ max, seconds: 60 });
const loose = minute(1_000);

export const limits = (changes: object) => ({
  attemptLimits: { accountAndAddress: loose, account: loose, address: loose, signup: loose, ...changes },
});

export async function call(auth: RunningAuth, path: string, body: object, address = '192.0.2.1') {
  const response = await fetch(auth.url + path, bodyOf(body, address));
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    text: await response.text(),
  };
}
export const login = (auth: RunningAuth, username: string, secret: string, address?: string) =>
  call(auth, '/auth/login', { username, password: secret }, address).then(({ status }) => status);

export async function member(auth: RunningAuth) {
  const username = newName();
  const { token } = await auth.client.signup({ body: { username, password } });
  return { username, token };
}
