/** The logo: a map pin whose hole is a winding path. */
export function Logo({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <path
        d="M16 1.5C9.6 1.5 4.5 6.5 4.5 12.8 4.5 21 16 30.5 16 30.5S27.5 21 27.5 12.8C27.5 6.5 22.4 1.5 16 1.5Z"
        fill="var(--mantine-color-purple-6)"
      />
      <circle cx="16" cy="12.8" r="7.6" fill="#fffdf9" />
      <path
        d="M13 20c-1.4-3 6.8-4.2 5.6-7.2-.9-2.3-5.4-1.3-4.6-4.1.4-1.5 1.9-2.4 3.5-2.9"
        fill="none"
        stroke="#dd9233"
        strokeWidth="2.3"
        strokeLinecap="round"
      />
    </svg>
  );
}
