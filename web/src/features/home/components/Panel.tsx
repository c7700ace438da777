import { type ReactNode, useId } from 'react';
import { Link } from 'react-router-dom';
import classes from './Board.module.css';

interface Props {
  title: string;
  /** Link to all of them. */
  more: { to: string; label: string };
  children: ReactNode;
}

/** A panel of a member's home page. */
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
