import { OverlayView } from '@react-google-maps/api';
import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { MapWindow } from '../map/map.ts';
import { panOffset } from '../map/pan-offset.ts';
import classes from './InfoWindow.module.css';

/** How wide Google's zoom buttons are, with the gap beside them. */
const controls = 50;

/**
 * An info window over the map. Google's own closes at the Escape key without the page knowing, is a dialog around the
 * page's dialog, and shows its content before it can take the focus.
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
  // What happens in here stops at the card, so React has to listen inside it.
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
