import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { Deserializer, Serializer } from 'node:v8';
import type { PackedTowns } from './towns.ts';

/** Beside what is built. Where the sources run there is none. */
const file = new URL('../towns.v8', import.meta.url);

// Not `serialize` and `deserialize`: what those read keeps the whole file in memory.
export function toBytes(packed: PackedTowns): Buffer {
  const serializer = new Serializer();
  serializer.writeHeader();
  serializer.writeValue(packed);
  return serializer.releaseBuffer();
}

export function fromBytes(bytes: Buffer): PackedTowns {
  const deserializer = new Deserializer(bytes);
  deserializer.readHeader();
  return deserializer.readValue();
}

/** What the build wrote there; made anew of the packages where it wrote nothing. */
export async function readPackedTowns(): Promise<PackedTowns> {
  if (existsSync(file)) return fromBytes(await readFile(file));
  const { packTowns } = await import('./pack-towns.ts');
  return packTowns();
}

export async function writePackedTowns(packed: PackedTowns): Promise<void> {
  await writeFile(file, toBytes(packed));
}
