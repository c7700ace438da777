import { Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './Section.module.css';

interface Props {
  /** Id of the heading, for `aria-labelledby`. */
  titleId: string;
  title: string;
  children: ReactNode;
}

/** A card with a heading. */
export function Section({ titleId, title, children }: Props) {
  return (
    <Paper className={classes.card ?? ''} radius="lg" component="section" aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      {children}
    </Paper>
  );
}
