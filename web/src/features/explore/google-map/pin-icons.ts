import { purple } from '../../../shared/theme/palette.ts';
import type { Pin } from '../map/map.ts';
import { canvas, svgOf } from '../map/pin-shapes.ts';

const asUrl = (svg: string) => `data:image/svg+xml,${encodeURIComponent(svg)}`;

const disc = (size: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${size} ${size}"><circle cx="${size / 2}" cy="${size / 2}" r="${size / 2 - 2}" fill="${purple[6]}" stroke="#fff" stroke-width="3"/></svg>`;

interface Looks {
  icon: google.maps.Icon;
  label?: google.maps.MarkerLabel;
}

function draw(pin: Pin): Looks {
  if (pin.kind !== 'cluster') {
    return { icon: { url: asUrl(svgOf(pin)), anchor: new google.maps.Point(...canvas.tip) } };
  }
  const { count = 0 } = pin;
  const size = count < 10 ? 44 : count < 100 ? 46 : count < 1_000 ? 54 : 62;
  return {
    icon: { url: asUrl(disc(size)), anchor: new google.maps.Point(size / 2, size / 2) },
    label: {
      text: count < 10_000 ? String(count) : `${Math.round(count / 1_000)}k`,
      color: '#fff',
      fontSize: '15px',
      fontWeight: '800',
    },
  };
}

const drawn = new Map<string, Looks>();

/** Returns a pin's icon for Google's map; the same object for the same appearance, so that nothing is drawn twice. */
export function looksOf(pin: Pin): Looks {
  const name = `${pin.kind} ${pin.state} ${pin.count} ${pin.glyph}`;
  const looks = drawn.get(name) ?? draw(pin);
  drawn.set(name, looks);
  return looks;
}
