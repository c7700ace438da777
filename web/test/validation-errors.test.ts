import { operations, problemSentence, problems } from '@wayquest/contracts';
import { signupSubmitted } from '../src/entities/auth/slice.ts';
import { loadLanguage } from '../src/shared/i18n/language.ts';
import { chinese } from '../src/shared/i18n/zh/index.ts';
import { startApp } from './support/app.ts';

/** Returns the sentence with which services reject an invalid body. */
function validationErrorOf(operation: 'signup' | 'updateMe' | 'createChallenge', body: object): string {
  const result = operations[operation].body.safeParse(body);
  const errors = result.error?.issues.map(({ path, message }) => ({
    field: path.join('.'),
    reason: message,
  }));
  return problemSentence({ title: problems['invalid-request'].title, ...(errors && { errors }) });
}

/** Returns the error shown for a sign-up that is rejected with a sentence. */
async function shownErrorFor(sentence: string): Promise<string | null> {
  const { store, until } = startApp({
    responses: {
      'POST /auth/signup': { status: 400, text: sentence, headers: { 'problem-code': 'invalid-request' } },
    },
  });
  store.dispatch(signupSubmitted({ username: 'x', password: 'y' }));
  await until((state) => state.auth.request.error !== null);
  return store.getState().auth.request.error;
}

const twoErrors = validationErrorOf('signup', { username: 'a', password: 'b' });

describe('validation errors', () => {
  afterEach(() => loadLanguage('en'));

  it('are shown in the server’s words in English', async () => {
    expect(await shownErrorFor(twoErrors)).toBe(twoErrors);
  });

  it.each([
    [twoErrors, '用户名须为 3 到 30 个字母、数字、点、下划线或连字符；密码至少要有 8 个字符。'],
    ['Password is too common; please choose another.', '密码太常见，请换一个。'],
    ['Password must not be the username.', '密码不能与用户名相同。'],
    [validationErrorOf('updateMe', { email: 'nowhere' }), '邮箱须为邮箱地址。'],
    [validationErrorOf('updateMe', { city: 'x'.repeat(5_000) }), /^城市最多 \d+ 个字符。$/],
    [
      validationErrorOf('createChallenge', {
        ...{ name: '', difficulty: 'Easy', points: 101 },
        ...{ startDate: '2026-05-04', endDate: '2026-05-05' },
      }),
      '名称不能为空；积分不能大于 100。',
    ],
    [
      validationErrorOf('createChallenge', {
        ...{ name: 'x', difficulty: 'Easy' },
        ...{ startDate: '2026-05-04', endDate: '2026-05-03' },
      }),
      '结束日期不能早于开始日期。',
    ],
    [
      validationErrorOf('createChallenge', {
        ...{ name: 'x', difficulty: 'Easy' },
        ...{ startDate: '0026-05-04', endDate: '2026-05-05' },
      }),
      '开始日期须在 2000-01-01 到 2100-12-31 之间。',
    ],
    ['Id cannot be your own.', '内容是你自己的。'],
    [
      'UserId must not be blocked beyond the limit of 1000: unblock someone first.',
      '用户不能再屏蔽：最多 1000 人，请先解除一人。',
    ],
  ])('are translated into Chinese: %s', async (sentence, expected) => {
    await loadLanguage('zh');
    expect(await shownErrorFor(sentence)).toMatch(expected);
  });

  it('show the general sentence of the problem code if a part has no translation', async () => {
    await loadLanguage('zh');
    expect(await shownErrorFor('Unheard-of must be round.')).toBe(chinese.problems['invalid-request']);
  });
});
