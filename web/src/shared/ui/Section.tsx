import { Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './Section.module.css';

interface Props {
  /** Of the heading, which other things may be labelled by. */
  titleId: string;
  title: string;
  children: ReactNode;
}

/** A card of a page, under a heading of its own. */
export function Section({ titleId, title, children }: Props) {
  return (
    <Paper className={classes.card ?? ''} radius="lg" component="section" aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      {children}
    </Paper>
  );
}
