import type { ServiceName } from '@wayquest/contracts';
import { createContainerPart } from './container-part.ts';
import type { ApartOptions, PartName } from './network.ts';
import type { Part } from './part.ts';
import { createProcessPart } from './process-part.ts';

/** The replicas of all parts, not started yet, and what they share. */
export interface Parts {
  parts: Part[];
  close(): Promise<void>;
}

export async function createParts(
  { as, replicas = {} }: Pick<ApartOptions, 'as' | 'replicas'>,
  names: readonly ServiceName[],
  image: string,
  add: (part: PartName, line: string) => void,
): Promise<Parts> {
  const each: PartName[] = [...names, 'gateway'];
  const wanted = each.flatMap((name) => Array.from({ length: replicas[name] ?? 1 }, () => name));
  const options = wanted.map((name) => ({ name, print: (line: string) => add(name, line) }));
  if (as === 'processes')
    return { parts: await Promise.all(options.map(createProcessPart)), close: async () => {} };

  const { Network } = await import('testcontainers');
  const network = await new Network().start();
  return {
    parts: await Promise.all(options.map((one) => createContainerPart({ ...one, image, network }))),
    close: async () => void (await network.stop()),
  };
}
