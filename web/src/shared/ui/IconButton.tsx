import type { ComponentProps } from 'react';
import classes from './IconButton.module.css';

/** A button of the first page that is a picture only. Mantine's would bring all that its own can do. */
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
