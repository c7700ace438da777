import { OverlayView } from '@react-google-maps/api';
import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { MapWindow } from '../map/map.ts';
import { panOffset } from '../map/pan-offset.ts';
import classes from './InfoWindow.module.css';

/** Width of Google's zoom buttons with their gap, in pixels. */
const controls = 50;

/**
 * An info window over the map. Google's own closes at Escape without an event, is a dialog around the page's dialog,
 * and shows its content before it can be focused.
 */
export function InfoWindow({
  map,
  window: { position, content },
}: {
  map: google.maps.Map;
  window: MapWindow;
}) {
  return (
    <OverlayView position={position} mapPaneName={OverlayView.FLOAT_PANE}>
      <Card map={map}>{content}</Card>
    </OverlayView>
  );
}

function Card({ map, children }: { map: google.maps.Map; children: MapWindow['content'] }) {
  const card = useRef<HTMLDivElement>(null);
  // Events stop at the card, so React has to listen within it.
  const [inside, setInside] = useState<HTMLElement | null>(null);
  useEffect(() => {
    if (!card.current) return;
    const box = card.current;
    google.maps.OverlayView.preventMapHitsAndGesturesFrom(box);
    const watcher = new ResizeObserver(() => {
      const { left, right, top, bottom } = map.getDiv().getBoundingClientRect();
      const room = { left, right: right - controls, top, bottom };
      const [x, y] = panOffset(box.getBoundingClientRect(), room);
      if (x || y) map.panBy(x, y);
    });
    watcher.observe(box);
    watcher.observe(map.getDiv());
    return () => watcher.disconnect();
  }, [map]);
  return (
    <div ref={card} className={classes.card}>
      <div ref={setInside} />
      {inside && createPortal(children, inside)}
    </div>
  );
}
