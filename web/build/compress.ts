import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);

/** Writes a .gz and a .br file beside every asset that gains by it. index.html changes per answer and stays plain. */
export function compress(): Plugin {
  return {
    name: 'wayquest:compress',
    apply: 'build',
    async writeBundle({ dir }) {
      const names = dir ? await readdir(dir, { recursive: true }) : [];
      const files = names
        .filter((name) => /\.(js|css|svg|json)$/.test(name))
        .map((name) => join(dir ?? '', name));
      await Promise.all(
        files.map(async (file) => {
          const content = await readFile(file);
          await Promise.all([
            writeFile(`${file}.gz`, await toGzip(content, { level: 9 })),
            writeFile(`${file}.br`, await toBrotli(content)),
          ]);
        }),
      );
    },
  };
}
