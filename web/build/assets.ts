import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
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

/** The head that `scripts/cut-water.mjs` wrote: the position of each block behind it, and their states. */
interface Head {
  states: string;
  index: Record<string, [from: number, length: number]>;
}

const id = 'virtual:water';

/**
 * Takes `data/water.bin` apart into files that a map fetches as it comes to them, and tells where they are as the module
 * `virtual:water`. The folder's name changes with what is in it, so browsers keep its files.
 */
export function water(): Plugin {
  const archive = readFileSync(join(import.meta.dirname, '../data/water.bin'));
  const start = 4 + archive.readUInt32LE(0);
  const { states, index }: Head = JSON.parse(archive.toString('utf8', 4, start));
  const folder = `assets/water-${createHash('sha256').update(archive).digest('hex').slice(0, 8)}`;
  const files = new Map<string, Buffer>([['states.txt', Buffer.from(states)]]);
  for (const [name, [from, length]] of Object.entries(index))
    files.set(`${name}.bin`, archive.subarray(start + from, start + from + length));
  return {
    name: 'wayquest:water',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (source) => (source === `\0${id}` ? `export default '/${folder}'` : undefined),
    configureServer(server) {
      server.middlewares.use(`/${folder}`, (request, response) => {
        response.end(files.get(request.url?.slice(1) ?? ''));
      });
    },
    // Beside the bundle: nobody wants to read all their names at the end of a build.
    async writeBundle({ dir }) {
      if (this.environment.name !== 'client' || !dir) return;
      await mkdir(join(dir, folder), { recursive: true });
      await Promise.all([...files].map(([name, content]) => writeFile(join(dir, folder, name), content)));
    },
  };
}
