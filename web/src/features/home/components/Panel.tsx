import { type ReactNode, useId } from 'react';
import { Link } from 'react-router-dom';
import classes from './Board.module.css';

interface Props {
  title: string;
  /** Where there is more of it. */
  more: { to: string; label: string };
  children: ReactNode;
}

/** One of the things that a member finds on /home. */
export function Panel({ title, more, children }: Props) {
  const titleId = useId();
  return (
    <section className={classes.panel} aria-labelledby={titleId}>
      <div className={classes.top}>
        <h2 id={titleId}>{title}</h2>
        <Link to={more.to}>{more.label}</Link>
      </div>
      {children}
    </section>
  );
}
