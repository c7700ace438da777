import { punycodeHost } from '../src/features/messenger/links.ts';

it.each([
  ['a Cyrillic letter in its host', 'https://www.\u0430pple.com/login', 'www.xn--pple-43d.com'],
  ['a Cyrillic letter in a mail address', 'mailto:help@\u0430pple.com', 'xn--pple-43d.com'],
  ['a host in Punycode', 'https://xn--pple-43d.com', 'xn--pple-43d.com'],
  ['ASCII letters only, or none,', 'https://apple.com/xn--pple', undefined],
  ['an invalid host, or none,', 'https://a b', undefined],
])('returns the Punycode host of a link with %s', (_what, href, host) => {
  expect(punycodeHost(href)).toBe(host);
});
