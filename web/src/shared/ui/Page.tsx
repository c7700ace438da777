import type { ReactNode } from 'react';
import classes from './Page.module.css';

interface Props {
  width?: 'narrow' | 'medium' | 'full';
  children: ReactNode;
}

/** The column that contains every page's content. */
export function Page({ width = 'full', children }: Props) {
  return <div className={`${classes.page} ${classes[width] ?? ''}`}>{children}</div>;
}
