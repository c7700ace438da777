import { punycodeHost } from '../src/features/messenger/punycode-host.ts';

it.each([
  ['a Cyrillic letter in it', 'https://www.\u0430pple.com/login', 'www.xn--pple-43d.com'],
  ['such a letter behind a mail address', 'mailto:help@\u0430pple.com', 'xn--pple-43d.com'],
  ['its name written so', 'https://xn--pple-43d.com', 'xn--pple-43d.com'],
  ['plain letters', 'https://apple.com/xn--pple', undefined],
  ['no host that there can be', 'https://a b', undefined],
])('shows the ASCII host of a link with %s', (_what, href, host) => {
  expect(punycodeHost(href)).toBe(host);
});
