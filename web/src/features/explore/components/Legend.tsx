import type { Pin } from '../map/map.ts';
import { canvas, headTransform, shapesOf } from '../map/pin-shapes.ts';
import { useTranslations } from '../translations.ts';
import classes from './Legend.module.css';

const entries = [
  { word: 'joinedMark', looks: { kind: 'challenge', state: 'joined' } },
  { word: 'completedMark', looks: { kind: 'challenge', state: 'completed' } },
  { word: 'endedMark', looks: { kind: 'challenge', state: 'ended' } },
  { word: 'placeMark', looks: { kind: 'place' } },
] as const satisfies { word: string; looks: Pick<Pin, 'kind' | 'state'> }[];

function PinSymbol({ looks }: { looks: Pick<Pin, 'kind' | 'state'> }) {
  return (
    <svg viewBox={`0 0 ${canvas.width} ${canvas.height}`} aria-hidden="true">
      {shapesOf(looks).map(({ d, fill, stroke, dashed, inHead }) => (
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
  const shown = entries.filter(({ looks }) =>
    pins.some(({ kind, state }) => kind === looks.kind && ('state' in looks ? state === looks.state : true)),
  );
  if (!shown.length) return null;
  return (
    <ul className={classes.legend} aria-label={t('legend')}>
      {shown.map(({ word, looks }) => (
        <li key={word}>
          <PinSymbol looks={looks} />
          {t(word)}
        </li>
      ))}
    </ul>
  );
}
