import { amber, light, moss, night, purple } from '../src/shared/theme/palette.ts';
import { contrast as contrastOf, rgbOf } from './support/contrast.ts';

const contrast = (one: string, other: string) => contrastOf(rgbOf(one), rgbOf(other));

const textTokens = ['text', 'dimmed', 'link', 'done', 'points', 'error'] as const;
const backgrounds = ['ground', 'raised', 'sunken'] as const;

const schemes = Object.entries({ light, night });
const pairs = schemes.flatMap(([scheme, tokens]) =>
  textTokens.flatMap((text) =>
    backgrounds.map((background) => [scheme, text, background, tokens[text], tokens[background]] as const),
  ),
);

test.each(pairs)(
  'the %s scheme has a contrast of at least 4.5 for %s on %s',
  (_scheme, _text, _ground, text, background) => {
    expect(contrast(text, background)).toBeGreaterThanOrEqual(4.5);
  },
);

test.each(schemes)(
  'the %s scheme has a contrast of at least 3 for edges of controls',
  (_scheme, { control, ground: background, raised }) => {
    expect(contrast(control, background)).toBeGreaterThanOrEqual(3);
    expect(contrast(control, raised)).toBeGreaterThanOrEqual(3);
  },
);

const fixedPairs = [
  ['a primary button', '#ffffff', purple[6]],
  ['a hovered primary button', '#ffffff', purple[7]],
  ['a delete button', '#ffffff', '#b3261e'],
  ['a notice', '#ffffff', purple[9]],
  ['an error notice', '#ffffff', '#7a1f1a'],
  ['the second step in the light scheme', purple[9], purple[1]],
  ['the third step in the light scheme', amber[9], amber[1]],
  ['the second step in the dark scheme', purple[0], purple[8]],
  ['the third step in the dark scheme', amber[0], amber[9]],
  ['the top of the hero in the light scheme', light.text, purple[1]],
  ['the bottom of the hero in the light scheme', light.text, amber[1]],
  ['the bottom of the hero in the dark scheme', night.text, purple[8]],
  ['the initials of a user without a picture', purple[9], purple[1]],
  ['text on moss green', '#ffffff', moss[7]],
] as const;

test.each(fixedPairs)('%s has a contrast of at least 4.5', (_name, text = '', background = '') => {
  expect(contrast(text, background)).toBeGreaterThanOrEqual(4.5);
});
