import { type DivIcon, divIcon, type LeafletKeyboardEvent, Marker } from 'leaflet';
import { memo, useEffect, useState } from 'react';
import type { MapProps, Pin } from '../map/map.ts';
import { canvas, clusterSize, svgOf } from '../map/pin-shapes.ts';
import { useMap } from './leaflet-map.tsx';
import pinIconClasses from './pin-icon.module.css';

/** In pixels, since markers further south overlap others. */
const belowChallenges = -5_000;
const aboveAll = 5_000;

const icons = new Map<string, DivIcon>();

function draw(pin: Pin): DivIcon {
  if (pin.kind === 'cluster') {
    const { count = 0 } = pin;
    const size = clusterSize(count);
    const shown = count < 10_000 ? String(count) : `${Math.round(count / 1_000)}k`;
    return divIcon({
      className: pinIconClasses.cluster ?? '',
      html: `<span aria-hidden="true">${shown}</span>`,
      iconSize: [size, size],
    });
  }
  return divIcon({
    className: pinIconClasses.pin ?? '',
    html: svgOf(pin),
    iconSize: [canvas.width, canvas.height],
    iconAnchor: [...canvas.tip],
  });
}

/** A pin's icon; the same object for the same appearance, so that nothing is drawn twice. */
function iconOf(pin: Pin): DivIcon {
  const appearance = `${pin.kind} ${pin.state} ${pin.count} ${pin.glyph}`;
  const icon = icons.get(appearance) ?? draw(pin);
  icons.set(appearance, icon);
  return icon;
}

/** Rendered again only when its own pin changes: there may be hundreds, and the map reports every move. */
export const PinMarker = memo(function PinMarker({
  pin,
  lng,
  onPin,
}: { pin: Pin; lng: number } & Pick<MapProps, 'onPin'>) {
  const map = useMap();
  const { lat } = pin.position;
  const icon = iconOf(pin);
  const [marker] = useState(
    () =>
      new Marker([lat, lng], {
        icon,
        title: pin.label,
        riseOnHover: true,
      }),
  );
  // Before it is added to the map, where each call would redraw it.
  useEffect(() => {
    marker.setIcon(icon);
  }, [marker, icon]);
  const offset = pin.kind === 'place' ? belowChallenges : 0;
  useEffect(() => {
    marker.setZIndexOffset(pin.chosen ? aboveAll : offset);
  }, [marker, pin.chosen, offset]);
  useEffect(() => {
    marker.setLatLng([lat, lng]);
  }, [marker, lat, lng]);
  useEffect(() => {
    marker.addTo(map);
    return () => {
      marker.remove();
    };
  }, [map, marker]);
  useEffect(() => {
    const handlers = {
      click: () => onPin(pin),
      keypress: ({ originalEvent }: LeafletKeyboardEvent) => {
        if (originalEvent.key !== 'Enter' && originalEvent.key !== ' ') return;
        originalEvent.preventDefault();
        // A separating cluster would take the focus with it.
        if (pin.kind === 'cluster') map.getContainer().focus({ preventScroll: true });
        onPin(pin);
      },
    };
    marker.on(handlers);
    return () => {
      marker.off(handlers);
    };
  }, [map, marker, pin, onPin]);
  return null;
});
