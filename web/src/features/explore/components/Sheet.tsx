import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useTranslations } from '../translations.ts';
import classes from './Sheet.module.css';

/** The height of a sheet over the map. */
type SnapPoint = 'peek' | 'half' | 'full';

/**
 * The height of the sheet: half of the map while something is open in it, then as before. It also opens once when there
 * is nothing near the person, since it then suggests challenges.
 */
export function useSnapPoint(opened: string | null, opensInitially: boolean, nothingNear: boolean) {
  const [snapPoint, setSnapPoint] = useState<SnapPoint>(opensInitially ? 'half' : 'peek');
  // biome-ignore lint/correctness/useExhaustiveDependencies: where it was when the first was opened
  useEffect(() => (opened ? () => setSnapPoint(snapPoint) : undefined), [opened === null]);
  useEffect(() => {
    if (opened) setSnapPoint('half');
  }, [opened]);
  const hasSuggested = useRef(false);
  useEffect(() => {
    if (!nothingNear || hasSuggested.current) return;
    hasSuggested.current = true;
    setSnapPoint((current) => (current === 'peek' ? 'half' : current));
  }, [nothingNear]);
  return [snapPoint, setSnapPoint] as const;
}

const snapPoints: readonly SnapPoint[] = ['peek', 'half', 'full'];

/** Its heights: a share of the available height, and pixels. Search and chips stay visible above it. */
const heights = { peek: [0, 76], half: [0.5, 0], full: [1, -132] } as const;

const heightAt = (snapPoint: SnapPoint) =>
  `calc(${heights[snapPoint][0] * 100}% + ${heights[snapPoint][1]}px)`;

/** A shorter movement counts as a tap. */
const tapTolerance = 6;
/** Momentum: milliseconds of its speed, and the maximum in pixels. */
const momentum = { ms: 150, max: 200 };

interface Drag {
  from: number;
  height: number;
  moved: boolean;
  at: number;
  y: number;
  /** In pixels per millisecond, upward. */
  speed: number;
}

interface Props {
  snapPoint: SnapPoint;
  onSnap(snapPoint: SnapPoint): void;
  handle: RefObject<HTMLButtonElement | null>;
  /** Visible even if the sheet only peeks out. */
  head: ReactNode;
  children: ReactNode;
}

/**
 * A sheet over the foot of the map on a phone, moved by a finger or keys. The focused element in it is always visible.
 */
export function Sheet({ snapPoint, onSnap, handle, head, children }: Props) {
  const t = useTranslations();
  const sheet = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag | null>(null);
  const stepTo = (step: number) => snapPoints[snapPoints.indexOf(snapPoint) + step];

  useEffect(() => {
    const { activeElement } = document;
    if (snapPoint === 'peek' && body.current?.contains(activeElement))
      handle.current?.focus({ preventScroll: true });
  }, [snapPoint, handle]);

  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    if (!body.current?.contains(target)) return;
    // A phone's keyboard takes the space below.
    if (target.matches('input, textarea')) onSnap('full');
    else if (snapPoint === 'peek') onSnap('half');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    const nextPoint =
      event.key === 'Escape' ? 'peek' : event.target === handle.current && step && stepTo(step);
    if (!nextPoint) return;
    event.preventDefault();
    onSnap(nextPoint);
  };
  const next = stepTo(1) ?? 'peek';
  /** A tap on the heading does what the handle does. The click after a drag targets the sheet itself. */
  const onClick = ({ target, currentTarget }: MouseEvent) => {
    if (!(target instanceof Element) || target === currentTarget || target.closest('button')) return;
    if (!body.current?.contains(target)) onSnap(next);
  };
  const onPointerDown = ({ isPrimary, button, clientY: y, timeStamp: at, target }: PointerEvent) => {
    // Its content is scrolled instead.
    if (snapPoint !== 'peek' && target instanceof Node && body.current?.contains(target)) return;
    const height = sheet.current?.offsetHeight ?? 0;
    drag.current = isPrimary && button === 0 ? { from: y, height, moved: false, at, y, speed: 0 } : null;
  };
  const onPointerMove = ({ clientY: y, timeStamp: at, pointerId, currentTarget }: PointerEvent) => {
    const now = drag.current;
    if (!now || !sheet.current || (!now.moved && Math.abs(y - now.from) < tapTolerance)) return;
    if (!now.moved) currentTarget.setPointerCapture(pointerId);
    const speed = (now.y - y) / Math.max(at - now.at, 1);
    Object.assign(now, { moved: true, y, at, speed });
    sheet.current.dataset.dragged = '';
    sheet.current.style.height = `${now.height + now.from - y}px`;
  };
  const onPointerEnd = ({ timeStamp }: PointerEvent) => {
    const now = drag.current;
    const { current: element } = sheet;
    drag.current = null;
    if (!now?.moved || !element) return;
    const room = element.parentElement?.clientHeight ?? 0;
    const momentumOffset = timeStamp - now.at < 100 ? now.speed * momentum.ms : 0;
    const targetHeight =
      now.height + now.from - now.y + Math.max(-momentum.max, Math.min(momentum.max, momentumOffset));
    const distanceTo = (one: SnapPoint) => Math.abs(heights[one][0] * room + heights[one][1] - targetHeight);
    const nearest = snapPoints.reduce((best, one) => (distanceTo(one) < distanceTo(best) ? one : best));
    delete element.dataset.dragged;
    element.style.height = heightAt(nearest);
    onSnap(nearest);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what its handle and its content do comes up to here
    <div
      ref={sheet}
      className={classes.sheet}
      data-sticks
      data-snap-point={snapPoint}
      style={{ height: heightAt(snapPoint) }}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerEnd}
      onPointerCancel={onPointerEnd}
    >
      <div className={classes.head}>
        <button
          ref={handle}
          type="button"
          className={classes.handle}
          aria-label={t('sheet')}
          aria-expanded={snapPoint !== 'peek'}
          onClick={() => onSnap(next)}
        />
        {head}
      </div>
      <div ref={body} className={classes.body}>
        {children}
      </div>
    </div>
  );
}
