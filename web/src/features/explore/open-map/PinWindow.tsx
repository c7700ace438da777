import type { Position } from '@wayquest/contracts';
import { type Map as LeafletMap, Popup } from 'leaflet';
import { useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { type MapWindow, panOffset } from '../map/map.ts';
import { prefersReducedMotion, useMap } from './leaflet-map.tsx';
import classes from './OpenMap.module.css';

/** How long the map takes to move to an opened window. */
const panDurationMs = 1_000;

const emptyWindow = () =>
  new Popup({
    className: classes.window ?? '',
    closeButton: false,
    closeOnClick: false,
    closeOnEscapeKey: false,
    autoClose: false,
    autoPan: false,
    offset: [0, -34],
    minWidth: 288,
    maxWidth: 288,
  });

/** The part of the map that neither the list nor its controls cover. */
function freeArea(map: LeafletMap, coveredWidth: number) {
  const frame = map.getContainer();
  const { left, right, top, bottom } = frame.getBoundingClientRect();
  const edgeOf = (control: string) => frame.querySelector(control)?.getBoundingClientRect();
  return {
    left: left + coveredWidth,
    right: edgeOf('.leaflet-control-zoom')?.left ?? right,
    top,
    bottom: edgeOf('.leaflet-control-attribution')?.top ?? bottom,
  };
}

interface PinWindowProps extends Position, Pick<MapWindow, 'content'> {
  coveredWidth: number;
}

/**
 * An info window. Its content loads and grows, and the map keeps all of it in view. Leaflet would pan at every render,
 * and would never stop if there is too little space.
 */
export function PinWindow({ lat, lng, content, coveredWidth }: PinWindowProps) {
  const map = useMap();
  const [popup] = useState(emptyWindow);
  // Leaflet's own element: it would insert given content again at each update, and lose the focus.
  const [box, setBox] = useState<HTMLElement>();
  useLayoutEffect(() => {
    popup.setLatLng([lat, lng]);
  }, [popup, lat, lng]);
  useLayoutEffect(() => {
    popup.openOn(map);
    setBox(popup.getElement()?.querySelector<HTMLElement>('.leaflet-popup-content') ?? undefined);
    return () => {
      popup.remove();
    };
  }, [map, popup]);
  // Before the first paint, so that the move is not visible; the observer may report later.
  useLayoutEffect(() => {
    if (!box) return;
    const panIntoView = () => {
      popup.update();
      const shown = popup.getElement()?.getBoundingClientRect();
      // Still empty.
      if (!shown?.width) return;
      map.stop();
      const [x, y] = panOffset(shown, freeArea(map, coveredWidth));
      if (x || y) map.panBy([x, y], { animate: !prefersReducedMotion() });
    };
    panIntoView();
    const sizeWatcher = new ResizeObserver(panIntoView);
    sizeWatcher.observe(box);
    // Content that was loaded later is moved before the next frame: a pointer over the page lets Chromium lay out the frame
    // before it reports the size, which would count as a layout shift.
    const contentWatcher = new MutationObserver(panIntoView);
    contentWatcher.observe(box, { childList: true });
    map.on('resize', panIntoView);
    // Measured again while the map zooms; afterwards it is not moved any more.
    map.once('zoomend', panIntoView);
    const stopTimer = setTimeout(() => map.off('zoomend', panIntoView), panDurationMs);
    return () => {
      sizeWatcher.disconnect();
      contentWatcher.disconnect();
      clearTimeout(stopTimer);
      map.off('zoomend resize', panIntoView);
    };
  }, [map, popup, coveredWidth, box]);
  return box && createPortal(content, box);
}
