import { type ReactNode, useEffect, useId, useRef } from 'react';
import classes from './Welcome.module.css';

interface Props {
  title: string;
  /** Not in the first step, which was not navigated to. */
  takesFocus?: boolean;
  children: ReactNode;
}

/** A step of the welcome. */
export function Step({ title, takesFocus = false, children }: Props) {
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  return (
    <section className={classes.step} aria-labelledby={titleId}>
      <h2 id={titleId} ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  );
}
