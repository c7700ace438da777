// Bundles the compiled all-in-one: Node then finds, reads and compiles a few files instead of more than a thousand. Packages
// with native code or with files of their own stay outside.
import { dirname, join, relative } from 'node:path';
import { rolldown } from 'rolldown';

const folder = join(import.meta.dirname, 'dist');
const external = ['sharp', 'lmdb', '@node-rs/argon2', 'geo-tz', 'swagger-ui-dist', 'amqplib', 'ws'];
const isExternal = (id) => external.some((name) => id === name || id.startsWith(`${name}/`));

// Modules find their files by where they are, so each keeps its place, relative to the bundle.
const keepPlaces = {
  name: 'keep-places',
  transform(code, id) {
    const urlOf = (file) => `new URL(${JSON.stringify(relative(folder, file))}, import.meta.url)`;
    const placeOf = {
      url: `${urlOf(id)}.href`,
      dirname: `process.getBuiltinModule('node:url').fileURLToPath(${urlOf(dirname(id))})`,
    };
    return code.replaceAll(/\bimport\.meta\.(url|dirname)\b/g, (_, property) => placeOf[property]);
  },
};

// Tracing starts before the rest is loaded, as with `--import`.
const entry = '\0all-in-one';
const startWithTraces = {
  name: 'start-with-traces',
  resolveId: (id) => (id === entry ? id : null),
  load: (id) =>
    id === entry
      ? `import '@wayquest/platform/traces';\nawait import(${JSON.stringify(join(folder, 'main.js'))});`
      : null,
};

const bundle = await rolldown({
  input: { bundle: entry },
  cwd: import.meta.dirname,
  platform: 'node',
  external: isExternal,
  plugins: [startWithTraces, keepPlaces],
  logLevel: 'silent',
});
await bundle.write({
  dir: folder,
  entryFileNames: '[name].mjs',
  chunkFileNames: 'bundle-[name].mjs',
  sourcemap: true,
});
