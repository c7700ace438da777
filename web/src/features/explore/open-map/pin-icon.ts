import { type DivIcon, divIcon } from 'leaflet';
import type { Pin } from '../map/map.ts';
import { canvas, clusterSize, svgOf } from '../map/pin-shapes.ts';
import classes from './pin-icon.module.css';

const icons = new Map<string, DivIcon>();

function draw(pin: Pin): DivIcon {
  if (pin.kind === 'cluster') {
    const { count = 0 } = pin;
    const size = clusterSize(count);
    const shown = count < 10_000 ? String(count) : `${Math.round(count / 1_000)}k`;
    return divIcon({
      className: classes.cluster ?? '',
      html: `<span aria-hidden="true">${shown}</span>`,
      iconSize: [size, size],
    });
  }
  return divIcon({
    className: classes.pin ?? '',
    html: svgOf(pin),
    iconSize: [canvas.width, canvas.height],
    iconAnchor: [...canvas.tip],
  });
}

/** A pin's icon; the same object for the same appearance, so that nothing is drawn twice. */
export function iconOf(pin: Pin): DivIcon {
  const looks = `${pin.kind} ${pin.state} ${pin.count} ${pin.glyph}`;
  const icon = icons.get(looks) ?? draw(pin);
  icons.set(looks, icon);
  return icon;
}
