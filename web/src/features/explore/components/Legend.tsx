import type { Pin } from '../map/map.ts';
import { canvas, headTransform, shapesOf } from '../map/pin-shapes.ts';
import { useTranslations } from '../translations.ts';
import classes from './Legend.module.css';

const entries = [
  { word: 'joinedMark', appearance: { kind: 'challenge', state: 'joined' } },
  { word: 'completedMark', appearance: { kind: 'challenge', state: 'completed' } },
  { word: 'endedMark', appearance: { kind: 'challenge', state: 'ended' } },
  { word: 'placeMark', appearance: { kind: 'place' } },
] as const satisfies { word: string; appearance: Pick<Pin, 'kind' | 'state'> }[];

function PinSymbol({ appearance }: { appearance: Pick<Pin, 'kind' | 'state'> }) {
  return (
    <svg viewBox={`0 0 ${canvas.width} ${canvas.height}`} aria-hidden="true">
      {shapesOf(appearance).map(({ d, fill, stroke, dashed, inHead }) => (
        <path
          key={d}
          d={d}
          fill={fill}
          fillRule="evenodd"
          stroke={stroke}
          strokeWidth="2"
          strokeDasharray={dashed ? '4 2.5' : undefined}
          transform={inHead ? headTransform : undefined}
        />
      ))}
    </svg>
  );
}

/** Explains the pins that are on the map. */
export function Legend({ pins }: { pins: Pin[] }) {
  const t = useTranslations();
  const shown = entries.filter(({ appearance }) =>
    pins.some(
      ({ kind, state }) =>
        kind === appearance.kind && ('state' in appearance ? state === appearance.state : true),
    ),
  );
  if (!shown.length) return null;
  return (
    <ul className={classes.legend} aria-label={t('legend')}>
      {shown.map(({ word, appearance }) => (
        <li key={word}>
          <PinSymbol appearance={appearance} />
          {t(word)}
        </li>
      ))}
    </ul>
  );
}
