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
