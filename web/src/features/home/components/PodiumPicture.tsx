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
