import { type CSSVariablesResolver, createTheme } from '@mantine/core';
import type { ComponentProps, MouseEvent } from 'react';
import { amber, dark, gray, light, moss, night, purple } from './palette.ts';

/**
 * The element of every button. It uses `aria-disabled`: a disabled button loses the focus, and keyboard users would
 * start again at the top of the page.
 */
function FocusableButton({ disabled = false, type = 'button', onClick, ...rest }: ComponentProps<'button'>) {
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    // Also prevents submitting a form by Enter in a field.
    if (disabled) event.preventDefault();
    else onClick?.(event);
  };
  return <button {...rest} type={type} aria-disabled={disabled || undefined} onClick={click} />;
}

const variables = (tokens: typeof light) => ({
  '--wq-ground': tokens.ground,
  '--wq-raised': tokens.raised,
  '--wq-sunken': tokens.sunken,
  '--wq-done': tokens.done,
  '--wq-points': tokens.points,
  '--wq-line': tokens.line,
  '--wq-control': tokens.control,
  '--mantine-color-body': tokens.ground,
  '--mantine-color-text': tokens.text,
  '--mantine-color-dimmed': tokens.dimmed,
  '--mantine-color-placeholder': tokens.dimmed,
  '--mantine-color-anchor': tokens.link,
  '--mantine-color-error': tokens.error,
  '--mantine-color-default-border': tokens.control,
  '--mantine-color-disabled': tokens.disabled,
  '--mantine-color-disabled-color': tokens.dimmed,
});

/** The app's CSS variables for each color scheme. */
export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: variables(light),
  dark: {
    ...variables(night),
    // Buttons of Mantine's variant `light` are darker than the cards around them.
    '--mantine-color-purple-light': night.sunken,
    '--mantine-color-purple-light-hover': night.disabled,
    '--mantine-color-purple-light-color': night.text,
  },
});

const sans =
  "'Nunito Sans Variable', 'Like Nunito Sans', 'Like Nunito Sans, where there is no Arial', ui-sans-serif, system-ui, sans-serif";

/** The theme: a walk at golden hour. Type scale 1.2 from 16 px, spacing in steps of 4 px. */
export const theme = createTheme({
  colors: { purple, moss, amber, gray, dark },
  primaryColor: 'purple',
  primaryShade: 6,
  white: '#ffffff',
  black: light.text,
  fontFamily: sans,
  fontSizes: { xs: '0.8125rem', sm: '0.875rem', md: '1rem', lg: '1.2rem', xl: '1.44rem' },
  lineHeights: { xs: '1.4', sm: '1.5', md: '1.55', lg: '1.45', xl: '1.35' },
  headings: {
    fontFamily: sans,
    fontWeight: '800',
    sizes: {
      h1: { fontSize: 'clamp(1.728rem, 1.4rem + 1.6vw, 2.488rem)', lineHeight: '1.15' },
      h2: { fontSize: 'clamp(1.44rem, 1.3rem + 0.7vw, 1.728rem)', lineHeight: '1.2' },
      h3: { fontSize: '1.2rem', lineHeight: '1.3' },
    },
  },
  defaultRadius: 'md',
  radius: { sm: '8px', md: '10px', lg: '14px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '40px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'md', component: FocusableButton } },
    TextInput: { defaultProps: { size: 'md' } },
    PasswordInput: { defaultProps: { size: 'md' } },
    NativeSelect: { defaultProps: { size: 'md' } },
    Textarea: { defaultProps: { size: 'md' } },
  },
});
