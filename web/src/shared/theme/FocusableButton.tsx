import type { ComponentProps, MouseEvent } from 'react';

/**
 * The element of every button. It uses `aria-disabled`: a disabled button loses the focus, and keyboard users would
 * start again at the top of the page.
 */
export function FocusableButton({
  disabled = false,
  type = 'button',
  onClick,
  ...rest
}: ComponentProps<'button'>) {
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    // Also prevents submitting a form by Enter in a field.
    if (disabled) event.preventDefault();
    else onClick?.(event);
  };
  return <button {...rest} type={type} aria-disabled={disabled || undefined} onClick={click} />;
}
