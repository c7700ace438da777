import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** A package that Wayquest depends on. */
export interface Library {
  name: string;
  version: string;
  license: string;
  purpose: string;
  usedBy: string[];
  /** Part of the running app; otherwise it builds or tests it. */
  runtime: boolean;
}

interface Manifest {
  name?: string;
  version?: string;
  license?: string;
  description?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const root = join(import.meta.dirname, '../..');
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const manifestOf = (folder: string): Manifest => read(join(folder, 'package.json'));

function installed(workspace: string, name: string): Manifest {
  try {
    return manifestOf(join(workspace, 'node_modules', name));
  } catch {
    return manifestOf(join('node_modules', name));
  }
}

/** Returns the dependencies of all workspaces, described by their own package.json. */
export function collectLibraries(): Library[] {
  const lock: { packages: Record<string, unknown> } = read('package-lock.json');
  const workspaces = Object.keys(lock.packages).filter((path) => !path.includes('node_modules'));
  const found = new Map<string, Library>();
  for (const workspace of workspaces) {
    const { name: user = workspace, dependencies = {}, devDependencies = {} } = manifestOf(workspace);
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
      if (name.startsWith('@wayquest/')) continue;
      const { version = '', license = '', description = '' } = installed(workspace, name);
      const library = found.get(name) ?? {
        name,
        version,
        license,
        purpose: description,
        usedBy: [],
        runtime: false,
      };
      library.usedBy.push(user.replace('@wayquest/', ''));
      library.runtime ||= name in dependencies;
      found.set(name, library);
    }
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/** Provides the list as the module `virtual:libraries`. */
export function libraries(): Plugin {
  const id = 'virtual:libraries';
  return {
    name: 'wayquest:libraries',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (source) =>
      source === `\0${id}` ? `export default ${JSON.stringify(collectLibraries())}` : undefined,
  };
}
