import classes from './PathPicture.module.css';

/** A path that is laid as far as the next hill. */
export function PathPicture() {
  return (
    <svg
      className={classes.picture}
      viewBox="0 0 820 260"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <path fill="var(--sky)" d="M0 0h820v260H0z" />
      <circle cx="600" cy="96" r="52" fill="var(--sun)" />
      <path fill="var(--far)" d="M0 150c130-60 260-40 390-10s270-60 430-10v130H0z" />
      <path fill="var(--near)" d="M0 206c160-50 320-20 470-2s230-30 350-6v62H0z" />
      <path
        d="M300 260c50-34 150-6 190-30s10-34 40-50"
        fill="none"
        stroke="var(--path)"
        strokeWidth="16"
        strokeLinecap="round"
      />
      <path
        d="M540 172c22-14 42-10 66-34"
        fill="none"
        stroke="var(--path)"
        strokeWidth="8"
        strokeLinecap="round"
        strokeDasharray="1 18"
      />
      <path d="M330 214v-54" stroke="var(--ink)" strokeWidth="5" strokeLinecap="round" />
      <path fill="var(--sign)" d="M296 152h70l14 14-14 14h-70z" />
    </svg>
  );
}
