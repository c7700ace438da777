import { type DivIcon, divIcon } from 'leaflet';
import type { Pin } from '../map/map.ts';
import classes from './pin-icon.module.css';

const drop =
  '<svg viewBox="0 0 28 38" aria-hidden="true"><path d="M14 1C6.8 1 1 6.7 1 13.9 1 23 14 37 14 37s13-14 13-23.1C27 6.7 21.2 1 14 1z"/><circle cx="14" cy="14" r="5"/></svg>';

const icons = new Map<string, DivIcon>();

function draw({ kind, count = 0 }: Pin): DivIcon {
  if (kind === 'cluster') {
    const size = count < 10 ? 44 : count < 100 ? 46 : count < 1_000 ? 54 : 62;
    const shown = count < 10_000 ? String(count) : `${Math.round(count / 1_000)}k`;
    return divIcon({
      className: classes.cluster ?? '',
      html: `<span aria-hidden="true">${shown}</span>`,
      iconSize: [size, size],
    });
  }
  return divIcon({
    className: `${classes.pin} ${classes[kind] ?? ''}`,
    html: drop,
    iconSize: [44, 44],
    iconAnchor: [22, 43],
  });
}

/** What stands for a pin on the map; the same object for the same looks, so that nothing is drawn twice. */
export function iconOf(pin: Pin): DivIcon {
  const looks = `${pin.kind} ${pin.count}`;
  const icon = icons.get(looks) ?? draw(pin);
  icons.set(looks, icon);
  return icon;
}
