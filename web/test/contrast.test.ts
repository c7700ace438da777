import { amber, light, moss, night, purple } from '../src/shared/theme/palette.ts';
import { contrast as contrastOf, rgbOf } from './support/contrast.ts';

const contrast = (one: string, other: string) => contrastOf(rgbOf(one), rgbOf(other));

const texts = ['text', 'dimmed', 'link', 'done', 'points', 'error'] as const;
const grounds = ['ground', 'raised', 'sunken'] as const;

const schemes = Object.entries({ light, night });
const pairs = schemes.flatMap(([scheme, tokens]) =>
  texts.flatMap((text) =>
    grounds.map((ground) => [scheme, text, ground, tokens[text], tokens[ground]] as const),
  ),
);

test.each(pairs)('%s: %s on %s', (_scheme, _text, _ground, text, ground) => {
  expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5);
});

test.each(schemes)('%s: the edge of a control', (_scheme, { control, ground, raised }) => {
  expect(contrast(control, ground)).toBeGreaterThanOrEqual(3);
  expect(contrast(control, raised)).toBeGreaterThanOrEqual(3);
});

const fixed = [
  ['a primary button', '#ffffff', purple[6]],
  ['a primary button under the pointer', '#ffffff', purple[7]],
  ['the button that deletes', '#ffffff', '#b3261e'],
  ['a notice', '#ffffff', purple[9]],
  ['a bad notice', '#ffffff', '#7a1f1a'],
  ['the second step by day', purple[9], purple[1]],
  ['the third step by day', amber[9], amber[1]],
  ['the second step by night', purple[0], purple[8]],
  ['the third step by night', amber[0], amber[9]],
  ['the hero by day, at its top', light.text, purple[1]],
  ['the hero by day, at its foot', light.text, amber[1]],
  ['the hero by night, at its foot', night.text, purple[8]],
  ['a person without a picture', purple[9], purple[1]],
  ['moss that bears text', '#ffffff', moss[7]],
] as const;

test.each(fixed)('%s', (_name, text = '', ground = '') => {
  expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5);
});
