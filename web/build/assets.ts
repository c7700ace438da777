import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { minify, type Plugin } from 'vite';

const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);

/** Minifies the script of the public folder, which Vite copies as it is. */
async function minifyBeforePaint(dist: string): Promise<void> {
  const file = join(dist, 'before-paint.js');
  const { code } = await minify(file, await readFile(file, 'utf8'));
  await writeFile(file, code);
}

/** Compresses assets with gzip and Brotli, beside the original. Pages are compressed per response, since each has a new nonce. */
export function compress(): Plugin {
  return {
    name: 'wayquest:compress',
    apply: 'build',
    async writeBundle({ dir }) {
      if (this.environment.name === 'client' && dir) await minifyBeforePaint(dir);
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

/** The header of `data/water.bin`: the position of each block after it, and the state of each tile. */
interface Header {
  states: string;
  index: Record<string, [from: number, length: number]>;
}

const id = 'virtual:water';

/**
 * Splits `data/water.bin` into files that a map loads when it shows them. The module `virtual:water` exports their folder,
 * whose name contains a hash of the content, so that browsers may cache the files forever.
 */
export function water(): Plugin {
  const archive = readFileSync(join(import.meta.dirname, '../data/water.bin'));
  const start = 4 + archive.readUInt32LE(0);
  const { states, index }: Header = JSON.parse(archive.toString('utf8', 4, start));
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
    // Not emitted as assets, since a build would print all their names.
    async writeBundle({ dir }) {
      if (this.environment.name !== 'client' || !dir) return;
      await mkdir(join(dir, folder), { recursive: true });
      await Promise.all([...files].map(([name, content]) => writeFile(join(dir, folder, name), content)));
    },
  };
}
