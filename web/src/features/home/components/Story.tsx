import type { ReactNode } from 'react';
import classes from './Story.module.css';

interface Props {
  title: string;
  picture: ReactNode;
  children: ReactNode;
}

/** A section of the home page: text on one side, a picture on the other. */
export function Story({ title, picture, children }: Props) {
  return (
    <section className={classes.story}>
      <div className={classes.picture}>{picture}</div>
      <div className={classes.words}>
        <h2>{title}</h2>
        <p>{children}</p>
      </div>
    </section>
  );
}
