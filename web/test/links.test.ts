import { partsOf } from '../src/features/messenger/links.ts';

const origin = 'https://wayquest.example';
const page = (id: number) => `${origin}/challenges/${id}`;

it.each([
  [`${page(12)}，很好玩`, 12],
  [`${page(13)}很好玩`, 13],
  [`${page(14)}。谢谢`, 14],
  [`（${page(15)}）好`, 15],
  [`「${page(16)}」を見て`, 16],
  [`看看${page(17)}！`, 17],
  [`${page(18)}、${page(19)}`, 18],
])('the link in “%s” ends after the id', (text, id) => {
  const parts = partsOf(text, origin);
  expect(parts.find(({ href }) => href)).toEqual({ text: page(id), href: page(id) });
  expect(parts.map((part) => part.text).join('')).toBe(text);
});

it('finds two URLs separated by a Chinese comma', () => {
  expect(partsOf(`${page(18)}、${page(19)}`, origin).filter(({ href }) => href)).toHaveLength(2);
});

it.each([
  ['https://zh.wikipedia.org/wiki/图书馆', 'https://zh.wikipedia.org/wiki/图书馆'],
  ['https://zh.wikipedia.org/wiki/图书馆。', 'https://zh.wikipedia.org/wiki/图书馆'],
])('the URL of another site may contain letters of other scripts: %s', (text, address) => {
  expect(partsOf(text, origin).find(({ href }) => href)?.text).toBe(address);
});
