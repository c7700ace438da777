import classes from './Landscape.module.css';

/** A part of a map with a new pin: creating a challenge. */
export function MapPicture() {
  return (
    <svg viewBox="0 0 480 340" aria-hidden="true">
      <path fill="var(--paper)" d="M0 0h480v340H0z" />
      <path fill="var(--park)" d="M268 30c70-22 150-6 176 40s-6 108-70 120-120-14-136-64 -10-84 30-96z" />
      <path fill="var(--water)" d="M0 214c64-30 96 24 156 14s92 30 84 66-42 30-52 46H0z" />
      <g fill="none" stroke="var(--road)" strokeWidth="16" strokeLinecap="round">
        <path d="M-10 120c90-16 150 26 236 6s120-120 128-140" />
        <path d="M196 -10c-10 90 30 120 24 190s90 110 96 170" />
        <path d="M220 196c80 30 170 6 270 36" />
      </g>
      <g fill="var(--tree)">
        <circle cx="330" cy="80" r="16" />
        <circle cx="358" cy="96" r="12" />
        <circle cx="404" cy="72" r="14" />
        <circle cx="318" cy="148" r="12" />
        <circle cx="400" cy="150" r="18" />
      </g>
      <g fill="var(--house)">
        <rect x="36" y="36" width="52" height="44" rx="6" />
        <rect x="104" y="30" width="60" height="52" rx="6" />
        <rect x="40" y="150" width="70" height="40" rx="6" />
        <rect x="352" y="262" width="58" height="48" rx="6" />
      </g>
      <path
        d="M100 300c50-60 110-10 136-66s40-60 74-72"
        fill="none"
        stroke="var(--accent)"
        strokeWidth="6"
        strokeLinecap="round"
        strokeDasharray="1 14"
      />
      <ellipse cx="312" cy="170" rx="24" ry="7" fill="var(--ink)" opacity="0.2" />
      <path
        fill="var(--mantine-color-purple-6)"
        d="M312 42c-33 0-60 26-60 58 0 43 60 68 60 68s60-25 60-68c0-32-27-58-60-58z"
      />
      <circle cx="312" cy="98" r="36" fill="#fffdf9" />
      <path d="M312 80v36m-18-18h36" stroke="#dd9233" strokeWidth="9" strokeLinecap="round" />
    </svg>
  );
}

/** Three steps, three walkers and a flag: competing with friends. */
export function PodiumPicture() {
  return (
    <svg viewBox="0 0 480 340" aria-hidden="true">
      <path fill="var(--sky)" d="M0 0h480v340H0z" />
      <circle cx="240" cy="150" r="128" fill="var(--sun)" opacity="0.28" />
      <path fill="var(--park)" d="M0 262c80-40 170-34 250-10s150-24 230-8v96H0z" />
      <g fill="var(--tree)">
        <path d="M54 262c-12-3-16-18-11-31 4-10 8-15 11-23 3 8 7 13 11 23 5 13 1 28-11 31z" />
        <path d="M430 258c-12-3-16-18-11-31 4-10 8-15 11-23 3 8 7 13 11 23 5 13 1 28-11 31z" />
      </g>
      <rect x="98" y="212" width="96" height="128" rx="10" fill="var(--house)" />
      <rect x="192" y="168" width="96" height="172" rx="10" fill="var(--house-dark)" />
      <rect x="286" y="240" width="96" height="100" rx="10" fill="var(--house)" />
      <g fontSize="40" fontWeight="900" textAnchor="middle" fill="var(--ink)">
        <text x="146" y="268">
          2
        </text>
        <text x="240" y="226" fill="#fff">
          1
        </text>
        <text x="334" y="294">
          3
        </text>
      </g>
      <g>
        <circle cx="146" cy="148" r="20" fill="var(--accent)" />
        <path fill="var(--roof)" d="M120 212v-14c0-16 11-26 26-26s26 10 26 26v14z" />
        <circle cx="240" cy="98" r="22" fill="#f1aa56" />
        <path fill="var(--mantine-color-moss-7)" d="M212 168v-16c0-18 12-28 28-28s28 10 28 28v16z" />
        <circle cx="334" cy="178" r="19" fill="#c57d13" />
        <path fill="var(--mantine-color-purple-8)" d="M309 240v-14c0-16 10-25 25-25s25 9 25 25v14z" />
      </g>
      <path d="M266 136l34-78" stroke="var(--ink)" strokeWidth="5" strokeLinecap="round" />
      <path fill="var(--sun)" d="M300 58l46 18-30 20-26-12z" />
      <g fill="var(--accent)">
        <circle cx="96" cy="84" r="6" />
        <circle cx="176" cy="52" r="5" />
        <circle cx="392" cy="112" r="6" />
        <circle cx="366" cy="36" r="4" />
        <circle cx="60" cy="140" r="4" />
      </g>
    </svg>
  );
}

/** A residential street and a path out of it: exploring the neighborhood. */
export function StreetPicture() {
  return (
    <svg viewBox="0 0 480 340" aria-hidden="true">
      <path fill="var(--sky)" d="M0 0h480v340H0z" />
      <circle cx="372" cy="92" r="46" fill="var(--sun)" />
      <path fill="var(--water)" d="M0 190c70-50 140-30 220-6s150-50 260-6v162H0z" />
      <g>
        <path fill="var(--house)" d="M34 132h84v114H34z" />
        <path fill="var(--roof)" d="M24 134l52-46 52 46z" />
        <path fill="var(--paper)" d="M52 156h18v22H52zm32 0h18v22H84zM64 204h24v42H64z" />
        <path fill="var(--house-dark)" d="M136 112h92v134h-92z" />
        <path fill="var(--paper)" d="M150 160h12v60h-12zm26 0h12v60h-12zm26 0h12v60h-12z" />
        <path fill="var(--roof)" d="M128 114l54-34 54 34v14H128zM130 228h104v18H130z" />
        <path fill="var(--house)" d="M344 160h100v86H344z" />
        <path fill="var(--accent)" d="M336 160h116l-10-26h-96z" />
        <path fill="var(--paper)" d="M358 182h32v34h-32zm48 0h24v64h-24z" />
      </g>
      <g fill="var(--tree)">
        <path d="M286 252c-24-6-32-36-22-60 8-20 16-28 22-44 6 16 14 24 22 44 10 24 2 54-22 60z" />
        <path d="M316 254c-15-4-20-23-14-38 5-12 10-18 14-28 4 10 9 16 14 28 6 15 1 34-14 38z" />
      </g>
      <path fill="var(--park)" d="M0 246c120-12 330-14 480-2v96H0z" />
      <path
        d="M60 340c30-50 130-20 170-50s60-24 96-40"
        fill="none"
        stroke="var(--road)"
        strokeWidth="18"
        strokeLinecap="round"
      />
      <path
        fill="var(--mantine-color-purple-6)"
        d="M404 214c-22 0-40 17-40 38 0 29 40 60 40 60s40-31 40-60c0-21-18-38-40-38z"
      />
      <circle cx="404" cy="251" r="22" fill="#fffdf9" />
      <path
        d="M394 252l8 8 14-17"
        fill="none"
        stroke="#4c8758"
        strokeWidth="6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

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
