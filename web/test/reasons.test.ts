import { operations, problemSentence, problems } from '@wayquest/contracts';
import { signupSubmitted } from '../src/entities/auth/slice.ts';
import { speak } from '../src/shared/i18n/language.ts';
import { chinese } from '../src/shared/i18n/zh/index.ts';
import { startApp } from './support/app.ts';

/** As the services answer a body that they refuse. */
function refusalOf(operation: 'signup' | 'updateMe' | 'createChallenge', body: object): string {
  const result = operations[operation].body.safeParse(body);
  const errors = result.error?.issues.map(({ path, message }) => ({
    field: path.join('.'),
    reason: message,
  }));
  return problemSentence({ title: problems['invalid-request'].title, ...(errors && { errors }) });
}

/** What the page shows where a sign-up is refused with a sentence. */
async function toldOf(sentence: string): Promise<string | null> {
  const { store, until } = startApp({
    answers: {
      'POST /auth/signup': { status: 400, text: sentence, headers: { 'problem-code': 'invalid-request' } },
    },
  });
  store.dispatch(signupSubmitted({ username: 'x', password: 'y' }));
  await until((state) => state.auth.request.error !== null);
  return store.getState().auth.request.error;
}

const both = refusalOf('signup', { username: 'a', password: 'b' });

describe('validation errors', () => {
  afterEach(() => speak('en'));

  it('are the server’s text in English', async () => {
    expect(await toldOf(both)).toBe(both);
  });

  it.each([
    [both, '用户名须为 3 到 30 个字母、数字、点、下划线或连字符；密码至少要有 8 个字符。'],
    ['Password is too common; please choose another.', '密码太常见，请换一个。'],
    ['Password must not be the username.', '密码不能与用户名相同。'],
    [refusalOf('updateMe', { email: 'nowhere' }), '邮箱须为邮箱地址。'],
    [refusalOf('updateMe', { city: 'x'.repeat(5_000) }), /^城市最多 \d+ 个字符。$/],
    [
      refusalOf('createChallenge', {
        ...{ name: '', difficulty: 'Easy', points: 101 },
        ...{ startDate: '2026-05-04', endDate: '2026-05-05' },
      }),
      '名称不能为空；积分不能大于 100。',
    ],
    [
      refusalOf('createChallenge', {
        ...{ name: 'x', difficulty: 'Easy' },
        ...{ startDate: '2026-05-04', endDate: '2026-05-03' },
      }),
      '结束日期不能早于开始日期。',
    ],
    [
      refusalOf('createChallenge', {
        ...{ name: 'x', difficulty: 'Easy' },
        ...{ startDate: '0026-05-04', endDate: '2026-05-05' },
      }),
      '开始日期须在 2000-01-01 到 2100-12-31 之间。',
    ],
    ['Id is your own.', '内容是你自己的。'],
    [
      'UserId must not be blocked beyond the limit of 1000: unblock someone first.',
      '用户不能再屏蔽：最多 1000 人，请先解除一人。',
    ],
  ])('are translated into Chinese: %s', async (sentence, told) => {
    await speak('zh');
    expect(await toldOf(sentence)).toMatch(told);
  });

  it('show only the code’s sentence if a part has no translation', async () => {
    await speak('zh');
    expect(await toldOf('Unheard-of must be round.')).toBe(chinese.problems['invalid-request']);
  });
});
