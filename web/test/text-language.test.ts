import { changeLanguage } from '../src/shared/i18n/catalogue.ts';
import { languageOf } from '../src/shared/i18n/text-language.ts';

afterEach(() => changeLanguage('en'));

test.each([
  ['Count the herons', undefined, ''],
  ['Über die Brücke', undefined, ''],
  ['数一数苍鹭', 'zh-Hans', undefined],
  ['在 Central Park 数一数有几只苍鹭', 'zh-Hans', undefined],
  ['サギを数える', 'ja', 'ja'],
  ['왜가리를 세다', 'ko', 'ko'],
  ['Посчитай цапель', '', ''],
  ['7 + 3', undefined, undefined],
])('the language of %j is %j in an English page, and %j in a Chinese one', (text, inEnglish, inChinese) => {
  expect(languageOf(text)).toBe(inEnglish);
  changeLanguage('zh');
  expect(languageOf(text)).toBe(inChinese);
});
