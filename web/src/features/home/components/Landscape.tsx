import classes from './Landscape.module.css';

const tree = 'm0 0c-9-2-12-14-8-24 3-8 6-12 8-18 2 6 5 10 8 18 4 10 1 22-8 24z';

const trees: [x: number, y: number, size: number][] = [
  [150, 566, 1.3],
  [186, 560, 1],
  [398, 556, 1.1],
  [566, 590, 0.9],
  [590, 598, 1.2],
  [1240, 586, 1.2],
  [1276, 572, 1],
  [1372, 566, 1.4],
];

/** Hills at golden hour, or at night: a river, a path, and a pin as the sun. Extends beyond the frame on both sides. */
export function Landscape() {
  return (
    <svg
      className={classes.landscape}
      viewBox="0 0 1440 720"
      preserveAspectRatio="xMidYMax meet"
      aria-hidden="true"
    >
      <defs>
        <linearGradient id="water" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="var(--sun)" />
          <stop offset="1" stopColor="var(--water)" />
        </linearGradient>
      </defs>
      <g className={classes.stars}>
        <circle cx="180" cy="90" r="2" />
        <circle cx="420" cy="150" r="1.5" />
        <circle cx="640" cy="60" r="2" />
        <circle cx="790" cy="190" r="1.5" />
        <circle cx="880" cy="80" r="2" />
        <circle cx="1290" cy="110" r="2" />
        <circle cx="1370" cy="230" r="1.5" />
      </g>
      <g fill="var(--sun)">
        <circle cx="1070" cy="262" r="230" opacity="0.18" />
        <circle cx="1070" cy="262" r="164" opacity="0.28" />
      </g>
      <path
        fill="var(--cloud)"
        d="M700 236c-16 0-24-12-18-24 8-14 26-10 30-4 6-22 44-24 52 0 20-6 34 6 32 16-2 9-8 12-18 12z"
      />
      <path
        fill="var(--cloud)"
        d="M1228 168c-12 0-18-9-14-18 6-10 20-8 23-3 5-16 33-18 39 0 15-4 26 5 24 12-1 7-6 9-14 9z"
      />
      <path
        fill="var(--pin)"
        d="M1070 150c-56 0-100 43-100 98 0 72 100 156 100 156s100-84 100-156c0-55-44-98-100-98z"
      />
      <circle cx="1070" cy="248" r="64" fill="var(--hole)" />
      <path
        d="M1044 308c-10-26 58-36 48-62-8-20-46-12-39-36 3-12 16-20 30-24"
        fill="none"
        stroke="var(--trail)"
        strokeWidth="17"
        strokeLinecap="round"
      />
      <path
        fill="var(--far)"
        d="M-1600 460c260-110 420-50 640-10s810 64 960-10c150-74 290-60 430-18s250-80 430-38 290-62 580 22 600 40 800-20 500-40 800 0v334h-4640z"
      />
      <path
        fill="var(--mid)"
        d="M-1600 500c260-80 480-40 700 0s710 82 900 6c190-76 380-30 560-4s330-60 520-22 230-34 360 4 500 10 800-10 500 30 800 10v236h-4640z"
      />
      <path
        fill="url(#water)"
        d="M1046 478c-36 30 74 52 14 84-80 40-260 42-200 100 26 26-30 46-80 58h320c10-32-90-62-40-96 60-36 130-52 90-84-30-22-80-34-92-62z"
      />
      <path
        fill="var(--near)"
        d="M3040 580c-400 40-700-40-1000-60s-470 54-600 32c-130-22-230 26-310 84-50 36-80 60-92 84h2002z"
      />
      <path
        fill="var(--near)"
        d="M-1600 600c300-60 700-40 1000 0s420 48 600-18c180-66 430-50 626 14s290 92 360 124h-2586z"
      />
      <path
        d="M96 720c70-30 210-24 230-60 18-32-90-36-70-66 12-18 60-20 74-34"
        fill="none"
        stroke="var(--path)"
        strokeWidth="9"
        strokeLinecap="round"
        strokeDasharray="2 19"
      />
      <g fill="var(--tree)">
        {trees.map(([x, y, size]) => (
          <path key={x} d={tree} transform={`translate(${x} ${y}) scale(${size})`} />
        ))}
      </g>
      <path d="M330 560v-52" stroke="var(--pole)" strokeWidth="4" strokeLinecap="round" />
      <path fill="var(--flag)" d="M332 510l36 11-36 14z" />
    </svg>
  );
}
