import type { ComponentProps, MouseEvent } from 'react';

/**
 * The element of every button: told to be disabled rather than made so, as the browser takes the focus from one that is,
 * and who goes by keyboard would begin at the top of the page again.
 */
export function LastingButton({
  disabled = false,
  type = 'button',
  onClick,
  ...rest
}: ComponentProps<'button'>) {
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    // Of a form, too: pressing Enter in a field presses its button.
    if (disabled) event.preventDefault();
    else onClick?.(event);
  };
  return <button {...rest} type={type} aria-disabled={disabled || undefined} onClick={click} />;
}
