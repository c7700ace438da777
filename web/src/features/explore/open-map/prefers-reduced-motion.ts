/** Whether the person wants nothing to move by itself. */
export const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
