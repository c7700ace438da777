import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

/** Removes what only editors and image viewers need: indentation, and the fallbacks of the page's colors. */
const minify = (svg: string) =>
  svg
    .trim()
    .replace(/>\s+</g, '><')
    .replace(/ \/>/g, '/>')
    .replace(/var\((--[\w-]+), [^)]*\)/g, 'var($1)');

/** Minifies SVG files that are imported as text (`?raw`), to be inlined in the page. */
export function drawings(): Plugin {
  return {
    name: 'wayquest:drawings',
    enforce: 'pre',
    async load(id) {
      const [file = '', query] = id.split('?');
      if (query !== 'raw' || !file.endsWith('.svg')) return null;
      return `export default ${JSON.stringify(minify(await readFile(file, 'utf8')))}`;
    },
  };
}
