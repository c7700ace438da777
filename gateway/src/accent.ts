/** Wayquest's purple, from light to dark, as the web app's theme has it (`web/src/shared/theme/palette.ts`). */
export const brandShades = [
  '#f6f2fb',
  '#ebe3f5',
  '#d9cbec',
  '#c3aee0',
  '#ab93d1',
  '#957ac1',
  '#7f65a8',
  '#6a5191',
  '#573e7a',
  '#3e275e',
] as const;

type Rgb = [red: number, green: number, blue: number];

/** Each from 0 to 1. */
const rgbOf = (color: string): Rgb => {
  const channel = (start: number) => Number.parseInt(color.slice(start, start + 2), 16) / 255;
  return [channel(1), channel(3), channel(5)];
};

const hexOf = (rgb: Rgb) =>
  `#${rgb
    .map((channel) =>
      Math.round(channel * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

/** The relative luminance of a color, which alone decides about contrasts (WCAG 2.2). */
function luminanceOf(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((channel) =>
    channel <= 0.040_45 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

/** Returns the colors of the same hue and saturation (HSL) by their lightness. */
function tonesOf(rgb: Rgb): (lightness: number) => Rgb {
  const [max, min] = [Math.max(...rgb), Math.min(...rgb)];
  const range = max - min;
  const saturation = range === 0 ? 0 : range / (1 - Math.abs(max + min - 1));
  return (lightness) => {
    const strength = saturation * (1 - Math.abs(2 * lightness - 1));
    const tone = (channel: number) =>
      range === 0 ? lightness : lightness + strength * ((channel - min) / range - 1 / 2);
    const [red, green, blue] = rgb;
    return [tone(red), tone(green), tone(blue)];
  };
}

/** Halvings until a lightness is exact enough for 8 bits. */
const halvings = 16;

/**
 * Derives the shades of an operator's color: of its hue and saturation, each as bright as the shade of purple in whose place it is.
 * A contrast depends on brightness alone, so every text is as readable as in Wayquest's own colors, whatever the color is.
 *
 * @param color - `#rrggbb`.
 */
export function shadesOf(color: string): string[] {
  const toneOf = tonesOf(rgbOf(color));
  return brandShades.map((brandShade) => {
    const luminance = luminanceOf(rgbOf(brandShade));
    let [dark, light] = [0, 1];
    for (let halving = 0; halving < halvings; halving += 1) {
      const middle = (dark + light) / 2;
      if (luminanceOf(toneOf(middle)) < luminance) dark = middle;
      else light = middle;
    }
    return hexOf(toneOf((dark + light) / 2));
  });
}

/** The rules that replace the purple of Mantine's variables by these shades, before and after it writes its own. */
export function accentRules(shades: string[]): string {
  const declarations = shades.map((shade, index) => `--mantine-color-purple-${index}:${shade}`);
  const hover = (index: number) =>
    `--mantine-color-purple-outline-hover:color-mix(in srgb,var(--mantine-color-purple-${index}) 5%,transparent)`;
  const scheme = (name: string, anchor: number, outline: number) =>
    `:root:root[data-mantine-color-scheme="${name}"]{--mantine-color-anchor:var(--mantine-color-purple-${anchor});${hover(outline)}}`;
  return `:root:root{${declarations.join(';')}}${scheme('light', 7, 6)}${scheme('dark', 4, 2)}`;
}
