import type { ReactNode } from 'react';

export const hours = ['dawn', 'day', 'golden', 'dusk', 'night'] as const;

/** How pictures of the same kind of place differ. */
export interface Variation {
  /** Returns the index of a composition. */
  form(count: number): number;
  /** Picks one of some values; each `nth` picks independently. */
  pick<T>(values: readonly [T, ...T[]], nth: number): T;
}

const mix = (seed: number, nth: number) => {
  let mixed = Math.imul(seed ^ (nth + 1), 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0;
};

/** The variation for an id. Consecutive ids differ in hour and composition. */
export const variationOf = (id: number): Variation & { hour: (typeof hours)[number]; paint: number } => {
  const sequence = id + Math.floor(id / hours.length);
  const pick: Variation['pick'] = (values, nth) => values[mix(id, nth) % values.length] ?? values[0];
  return {
    hour: hours[id % hours.length] ?? 'day',
    paint: mix(id, 0) % 4,
    form: (count) => sequence % count,
    pick,
  };
};

interface Placed {
  x: number;
  y: number;
  /** Scale; 1 by default. */
  s?: number;
}

/** Moves and scales a drawing around its origin, which is on the ground. */
export const Transform = ({
  x,
  y,
  s = 1,
  flip,
  children,
}: Placed & { flip?: boolean; children: ReactNode }) => (
  <g transform={`matrix(${flip ? -s : s} 0 0 ${s} ${x} ${y})`}>{children}</g>
);

/** A cypress, 110 high. */
export const Cypress = (at: Placed) => (
  <Transform {...at}>
    <path fill="var(--tree)" d="M0 0c-26-6-34-38-23-63 8-20 17-29 23-47 6 18 15 27 23 47 11 25 3 57-23 63z" />
    <path fill="var(--leaf)" d="M0 0c26-6 34-38 23-63-8-20-17-29-23-47z" />
  </Transform>
);

/** A broad tree, 80 high. */
export const Oak = (at: Placed) => (
  <Transform {...at}>
    <path d="M0 2V-40M0-22l12-12" stroke="var(--trunk)" strokeWidth="7" strokeLinecap="round" />
    <path
      fill="var(--tree)"
      d="M-22-26a17 17 0 0 1-8-28 20 20 0 0 1 20-26 20 20 0 0 1 28 6 18 18 0 0 1 12 28 16 16 0 0 1-14 20z"
    />
    <path fill="var(--leaf)" d="M30-46a16 16 0 0 1-14 20h-22c18-4 30-16 24-48a18 18 0 0 1 12 28z" />
  </Transform>
);

/** A conifer, 90 high. */
export const Pine = (at: Placed) => (
  <Transform {...at}>
    <path fill="var(--trunk)" d="M-4-14h8V2h-8z" />
    <path fill="var(--tree)" d="M0-92l17 30h-8l14 24h-8l13 28h-56l13-28h-8l14-24h-8z" />
    <path fill="var(--leaf)" d="M0-92l17 30h-8l14 24h-8l13 28H0z" />
  </Transform>
);

export const Bush = (at: Placed) => (
  <Transform {...at}>
    <path fill="var(--tree)" d="M-22 0a11 11 0 0 1 2-20 13 13 0 0 1 24-5 11 11 0 0 1 16 9A9 9 0 0 1 22 0z" />
  </Transform>
);

export const Cloud = (at: Placed) => (
  <Transform {...at}>
    <path
      fill="var(--cloud)"
      d="M-30 0a10 10 0 0 1 2-20 16 16 0 0 1 30-8 13 13 0 0 1 20 10A9 9 0 0 1 28 0z"
    />
  </Transform>
);

export const Birds = (at: Placed) => (
  <Transform {...at}>
    <path
      d="M0 0q6-7 11 0 5-7 11 0M28-12q5-6 9 0 4-6 9 0"
      fill="none"
      stroke="var(--dark)"
      strokeWidth="2.5"
      strokeLinecap="round"
    />
  </Transform>
);

/** A street lamp, 78 high. */
export const Lamp = (at: Placed) => (
  <Transform {...at}>
    <path d="M0 0V-62M-7 0H7" stroke="var(--dark)" strokeWidth="4" strokeLinecap="round" />
    <circle cy="-68" r="15" fill="var(--glow)" opacity="0.3" />
    <path fill="var(--glow)" d="M-6-62l-3-14H9l-3 14z" />
    <path fill="var(--dark)" d="M-11-75l6-8h10l6 8z" />
  </Transform>
);

export const Bench = (at: Placed) => (
  <Transform {...at}>
    <path
      d="M-26-14h52m-46 0V0m40-14V0m-46-24h52"
      stroke="var(--dark)"
      strokeWidth="5"
      strokeLinecap="round"
    />
  </Transform>
);

/** A flag on a pole, 60 high; the origin is the foot of the pole. */
export const Flag = (at: Placed) => (
  <Transform {...at}>
    <path d="M0 0v-60" stroke="var(--dark)" strokeWidth="3.5" strokeLinecap="round" />
    <path fill="var(--accent)" d="M2-60c10-5 16 5 28 0v19c-12 5-18-5-28 0z" />
  </Transform>
);

/** A small flower in a color. */
export const Flower = ({ color = 'var(--rose)', ...at }: Placed & { color?: string }) => (
  <Transform {...at}>
    <path d="M0 2v-20M0-4c-6 0-8-4-9-8 6 0 9 3 9 8" stroke="var(--leaf)" strokeWidth="3" fill="var(--leaf)" />
    <g fill={color}>
      <circle cx="-5" cy="-22" r="5" />
      <circle cx="5" cy="-22" r="5" />
      <circle cx="-3" cy="-29" r="5" />
      <circle cx="4" cy="-29" r="5" />
    </g>
    <circle cy="-25" r="4" fill="var(--glow)" />
  </Transform>
);

/** Windows in a row: the upper left corner, their number, and their distance. */
export const Panes = ({
  x,
  y,
  count,
  gap,
  w = 10,
  h = 13,
}: {
  x: number;
  y: number;
  count: number;
  gap: number;
  w?: number;
  h?: number;
}) => (
  <path
    fill="var(--pane)"
    d={Array.from({ length: count }, (_, n) => `M${x + n * gap} ${y}h${w}v${h}h${-w}z`).join('')}
  />
);

/** Water below a line, across the whole banner. */
export const Water = ({ y }: { y: number }) => (
  <>
    <path fill="var(--water)" d={`M-300 ${y}h920V200h-920z`} />
    <path
      d={`M20 ${y + 14}h34m30-3h16M230 ${y + 10}h40m18 6h20M130 ${y + 22}h44m-170 10h24M250 ${y + 30}h36m-120 8h30M-60 ${y + 16}h40m-130 12h50m-90-18h30M360 ${y + 14}h50m60 12h40m-10-20h50`}
      stroke="var(--ripple)"
      strokeWidth="4"
      strokeLinecap="round"
    />
  </>
);

/** A sailing boat, 66 high; the origin is on the water below its mast. */
export const Sailboat = ({ flip, ...at }: Placed & { flip?: boolean }) => (
  <Transform {...at} {...(flip && { flip })}>
    <path d="M0-6v-58" stroke="var(--dark)" strokeWidth="3.5" strokeLinecap="round" />
    <path fill="var(--light)" d="M4-62c16 14 24 32 24 48H4z" />
    <path fill="var(--accent)" d="M-4-52v38h-20c2-14 9-27 20-38z" />
    <path fill="var(--dark)" d="M-32-10h68c-4 12-12 16-22 16h-26c-10 0-17-5-20-16z" />
  </Transform>
);

/** A rounded awning in stripes of two colors: its upper left corner, and the number of stripes, each 16 wide. */
export const Awning = ({ x, y, stripes }: { x: number; y: number; stripes: number }) => {
  const stripe = (n: number) => `M${x + n * 16} ${y}h16v14a8 8 0 0 1-16 0z`;
  const some = (rest: number) =>
    Array.from({ length: stripes }, (_, n) => (n % 2 === rest ? stripe(n) : '')).join('');
  return (
    <>
      <path fill="var(--accent)" d={some(0)} />
      <path fill="var(--light)" d={some(1)} />
    </>
  );
};

/** A house with a gable: its lower left corner, width, height up to the eaves, and the color of its front. */
export const Gable = ({
  x,
  y,
  w,
  h,
  wall = 'var(--wall)',
  roof = 'var(--roof)',
}: {
  x: number;
  y: number;
  w: number;
  h: number;
  wall?: string;
  roof?: string;
}) => (
  <>
    <path fill={wall} d={`M${x} ${y}v${-h}h${w}v${h}z`} />
    <path fill={roof} d={`M${x - 6} ${y - h + 2}l${w / 2 + 6} ${-w * 0.55}l${w / 2 + 6} ${w * 0.55}z`} />
  </>
);

/** The path through all of Wayquest's landscapes. */
export const Path = ({ d = 'M140 200c24-22 80-8 94-34', width = 13 }: { d?: string; width?: number }) => (
  <path d={d} fill="none" stroke="var(--path)" strokeWidth={width} strokeLinecap="round" />
);
