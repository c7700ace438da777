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
