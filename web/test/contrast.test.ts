import { brandShades, shadesOf } from '../../gateway/src/accent.ts';
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

test('the gateway knows the shades of purple, in whose place it puts those of an operator', () => {
  expect(brandShades).toEqual(purple);
});

/** Every hue, from gray to garish, dark and light. */
const operatorColors = Array.from({ length: 24 }, (_, step) => step * 15).flatMap((hue) =>
  [0, 50, 100].flatMap((saturation) => [10, 50, 90].map((lightness) => hexOf(hue, saturation, lightness))),
);

function hexOf(hue: number, saturation: number, lightness: number): string {
  const light = lightness / 100;
  const strength = (saturation / 100) * Math.min(light, 1 - light);
  const channel = (offset: number) => {
    const turn = (offset + hue / 30) % 12;
    const value = light - strength * Math.max(-1, Math.min(turn - 3, 9 - turn, 1));
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}

test('shades of any color have the contrasts of purple, but for the rounding of colors', () => {
  for (const color of [...operatorColors, '#000000', '#ffffff']) {
    const shades = shadesOf(color);
    for (const [index, shade] of shades.entries()) {
      const brand = purple[index] ?? '';
      for (const ground of [
        light.ground,
        light.raised,
        light.sunken,
        night.ground,
        night.raised,
        night.sunken,
      ])
        expect(Math.abs(contrast(shade, ground) / contrast(brand, ground) - 1)).toBeLessThan(0.015);
    }
    const [lightest = '', light1 = '', , , dark4 = '', , button = '', link = '', dark8 = '', darkest = ''] =
      shades;
    for (const [text, ground] of [
      ...['#ffffff', light.ground].map((ground) => [button, ground] as const),
      ...[light.ground, light.raised, light.sunken].map((ground) => [link, ground] as const),
      ...[night.ground, night.raised, night.sunken].map((ground) => [dark4, ground] as const),
      [darkest, light1],
      [lightest, dark8],
      [night.text, dark8],
    ] as const)
      expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5);
  }
});
