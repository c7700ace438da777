import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { useShared } from '@wayquest/testing';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';

const KubernetesObject = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});
export type KubernetesObject = z.output<typeof KubernetesObject>;

/** Returns all objects that `kubectl apply --kustomize` would send. */
export async function rendered(folder: 'base' | 'overlays/production'): Promise<KubernetesObject[]> {
  const directory = resolve(import.meta.dirname, '..', folder);
  const { stdout } = await promisify(execFile)(await useShared('kubectl'), ['kustomize', directory]);
  return z.array(KubernetesObject).parse(parseAllDocuments(stdout).map((document) => document.toJS()));
}
