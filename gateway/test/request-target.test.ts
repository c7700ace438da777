import { checkTarget, pathOf } from '../src/requests.ts';

it.each([
  '/',
  '/api/challenges/7',
  '/api/challenges/?search=a%20b&near=1,2',
  '/profile-pics/a..b.svg',
  '/caf%C3%A9',
  '/home?next=//elsewhere/..',
  "/it's(fine)!*~@:;=+$,",
])('accepts %s', (url) => {
  expect(() => checkTarget({ url })).not.toThrow();
});

it.each([
  '',
  '*',
  'http://elsewhere/api/challenges',
  '//elsewhere',
  '/api//challenges',
  '/api/challenges/../users',
  '/api/..',
  '/./api',
  '/api/%2e%2e/users',
  '/api/%2E./users',
  '/api/..%2fusers',
  '/api%2f%2fusers',
  '/api/%5c..',
  '/api\\users',
  '/api/%00',
  '/api/%0d%0aset-cookie',
  '/api/%zz',
  '/api/%E0%A4',
  '/api/caf\u00e9',
  '/api/a b',
  '/api/users#me',
])('rejects %j', (url) => {
  expect(() => checkTarget({ url })).toThrow('is invalid');
});

it('removes the query from a path', () => {
  expect([pathOf({ url: '/a?b?c' }), pathOf({ url: '/a' }), pathOf({})]).toEqual(['/a', '/a', '']);
});
