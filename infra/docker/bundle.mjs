// Bundles compiled programs: Node then finds, reads and compiles a few files instead of more than a thousand (ADR 57).
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { rolldown } from 'rolldown';

/** Packages with native code or with files of their own stay outside. */
const external = ['sharp', 'lmdb', '@node-rs/argon2', 'geo-tz', 'swagger-ui-dist', 'amqplib', 'ws'];
const packageOf = (id) => external.find((name) => id === name || id.startsWith(`${name}/`));

/** What the compiler wrote has maps, by which stacks name lines of the sources. */
const keepMaps = {
  name: 'keep-maps',
  load(id) {
    if (!/\/dist\/.*\.js$/.test(id) || id.includes('/node_modules/') || !existsSync(`${id}.map`)) return null;
    return { code: readFileSync(id, 'utf8'), map: readFileSync(`${id}.map`, 'utf8') };
  },
};

/** Modules find their files by where they are, so each keeps its place, relative to the bundle. */
const keepPlaces = (place) => ({
  name: 'keep-places',
  transform(code, id) {
    if (!/\bimport\.meta\.(url|dirname)\b/.test(code)) return null;
    const urlOf = (file) => `new URL(${JSON.stringify(relative(place, file))}, import.meta.url)`;
    const placeOf = {
      url: `${urlOf(id)}.href`,
      dirname: `process.getBuiltinModule('node:url').fileURLToPath(${urlOf(dirname(id))})`,
    };
    return code.replaceAll(/\bimport\.meta\.(url|dirname)\b/g, (_, property) => placeOf[property]);
  },
});

/** Tracing starts before the rest of a program is loaded, as with `--import`. */
const tracedPrefix = '\0traced:';
const startWithTraces = {
  name: 'start-with-traces',
  resolveId: (id) => (id.startsWith(tracedPrefix) ? id : null),
  load: (id) =>
    id.startsWith(tracedPrefix)
      ? `import '@wayquest/platform/traces';\nawait import(${JSON.stringify(id.slice(tracedPrefix.length))});`
      : null,
};

/** The main module of a program that can be traced. */
export const traced = (file) => tracedPrefix + file;

/** The package.json of a folder. */
export const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** The licenses of packages, whose texts have to be wherever their code is. */
function licensesOf(modules) {
  const folders = modules.flatMap((id) => /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []);
  const texts = [...new Set(folders)].map((folder) => {
    const { name, version, license } = manifestOf(folder);
    const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)\b/i.test(file));
    const parts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
    return [`${name} ${version}: ${license ?? 'see below'}`, ...parts].join('\n\n');
  });
  return `${texts.sort().join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/**
 * Writes programs, what they share, and the licenses of the packages in them, into a folder.
 *
 * @param programs - Their main modules by the names of their bundles, without extension.
 * @param folder - Where the bundles are written.
 * @param place - Which folder of the repository the bundles' folder stands for: files are looked for relative to it.
 * @returns The packages that are not in the bundles.
 */
export async function writeBundles(programs, folder, place = folder) {
  const packages = new Set();
  const bundle = await rolldown({
    input: programs,
    cwd: import.meta.dirname,
    platform: 'node',
    external(id) {
      const name = packageOf(id);
      if (name) packages.add(name);
      return name !== undefined;
    },
    plugins: [startWithTraces, keepMaps, keepPlaces(place)],
    logLevel: 'silent',
  });
  const { output } = await bundle.write({
    dir: folder,
    entryFileNames: '[name].mjs',
    chunkFileNames: `${Object.keys(programs)[0]}-[name].mjs`,
    sourcemap: true,
  });
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  writeFileSync(join(folder, 'LICENSES.txt'), licensesOf(modules));
  return [...packages];
}
