import type { ComponentProps } from 'react';

/** Returns the content of an SVG document, without its outer element. */
export const contentOf = (svg: string): string => svg.slice(svg.indexOf('>') + 1, svg.lastIndexOf('</svg>'));

interface Props extends ComponentProps<'svg'> {
  /** The text of one of the app's SVG files (`?raw`). */
  file: string;
}

/** A decorative SVG file, inline, since an image could not use the page's colors. Only for files of the app: they are not sanitized. */
export function Drawing({ file, ...props }: Props) {
  return (
    <svg
      viewBox={/viewBox="([^"]*)"/.exec(file)?.[1]}
      aria-hidden="true"
      {...props}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a file of the app
      dangerouslySetInnerHTML={{ __html: contentOf(file) }}
    />
  );
}
