import type { ComponentProps } from 'react';
import classes from './IconButton.module.css';

/** An icon button for the first page, since Mantine's would load much more code. */
export const IconButton = ({
  className = '',
  ...props
}: ComponentProps<'button'> & { 'aria-label': string }) => (
  <button
    type="button"
    className={`mantine-focus-auto mantine-active ${classes.button} ${className}`}
    {...props}
  />
);
