import type { Plugin } from 'vite';

/** Names the installation in pages that Vite serves; in a build, that is left to the gateway. */
export const siteName = (): Plugin => ({
  name: 'wayquest:site-name',
  apply: 'serve',
  transformIndexHtml: (html) => html.replaceAll('__SITE_NAME__', 'Wayquest'),
});
