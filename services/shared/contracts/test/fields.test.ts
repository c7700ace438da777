import { operations } from '../src/index.ts';

const accepts = (email: string) => operations.forgotPassword.body.safeParse({ email }).success;

test.each([
  ['Punycode', 'x@xn--e1afmkfd.xn--p1ai'],
  ['an ampersand', 'sales&support@example.com'],
  ['an equals sign and a slash', 'o=b/dep@example.com'],
  ['a number sign', 'a#b@example.com'],
  ['an exclamation mark', 'tom!x@example.com'],
  ['every other sign that mail servers take', "a$%'*+-/=?^_`{|}~z@example.com"],
  ['dots between words', 'a.b.c@mail.example.co.uk'],
  ['capitals and digits', 'Ann.7@Example.COM'],
])('an email address may have %s: %s (Q20)', (_, email) => {
  expect(accepts(email)).toBe(true);
  expect(operations.updateMe.body.safeParse({ email }).success).toBe(true);
});

test.each([
  'a..b@x.org',
  '.a@x.org',
  'a.@x.org',
  'a@b',
  'a b@x.org',
  'a@x .org',
  'a@x.org\n',
  'a\r\nBcc: b@x.org',
  'a@x..org',
  'a@-x.org',
  'a@x-.org',
  'a@.org',
  '@x.org',
  'a@x.org,b@x.org',
  '<a@x.org>',
  '"a"@x.org',
  'я@x.org',
  `a@${'x'.repeat(64)}.org`,
  `${'a'.repeat(250)}@x.org`,
])('%j is no email address (Q20)', (email) => {
  expect(accepts(email)).toBe(false);
  expect(operations.updateMe.body.safeParse({ email }).success).toBe(false);
});

test.each(['\u2028', '\u2029', '\n', '\r', '\u0085', '\u0000'])(
  'a text of one line contains no separator of lines: %j (Y8)',
  (separator) => {
    const text = `Pier${separator}Evil`;
    for (const field of ['firstName', 'lastName', 'streetAddress', 'city', 'state', 'zip'])
      expect(operations.updateMe.body.safeParse({ [field]: text }).success).toBe(false);
    const place = { locationName: 'Pier', streetAddress: '1 Pier', city: 'Troy', state: 'NY', zip: '12180' };
    const challenge = { name: 'Pier', difficulty: 'Easy', description: '', ...place };
    expect(operations.createChallenge.body.safeParse(challenge).success).toBe(true);
    for (const field of ['name', ...Object.keys(place)])
      expect(operations.createChallenge.body.safeParse({ ...challenge, [field]: text }).success).toBe(false);
  },
);
