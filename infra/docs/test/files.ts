import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the paths of files below a folder whose names match, except those of packages and builds. */
export const filesIn = (folder: string, name: RegExp): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return /^(node_modules|dist|test-results|\..*)$/.test(entry.name) ? [] : filesIn(path, name);
    return name.test(entry.name) ? [path] : [];
  });
