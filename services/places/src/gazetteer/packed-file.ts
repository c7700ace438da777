import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { Deserializer, Serializer } from 'node:v8';
import type { PackedTowns } from './towns.ts';

/** In the package's `dist`, for sources and builds alike. */
const file = new URL('../../dist/towns.v8', import.meta.url);

// Not `serialize` and `deserialize`, whose results keep the whole file in memory.
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

/** Reads the file of the last build; packs the packages again without one. */
export async function readPackedTowns(): Promise<PackedTowns> {
  if (existsSync(file)) return fromBytes(await readFile(file));
  const { packTowns } = await import('./pack-towns.ts');
  return packTowns();
}

export async function writePackedTowns(packed: PackedTowns): Promise<void> {
  await writeFile(file, toBytes(packed));
}
