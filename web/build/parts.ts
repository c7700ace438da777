import type { Manifest } from 'vite';

/** What a chunk needs beside itself, deep. */
export function partsOf(manifest: Manifest, key: string, found = new Set<string>()): Set<string> {
  if (found.has(key)) return found;
  found.add(key);
  for (const imported of manifest[key]?.imports ?? []) partsOf(manifest, imported, found);
  return found;
}
