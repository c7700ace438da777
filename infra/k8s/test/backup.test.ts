import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterTest } from '@wayquest/testing';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';

const Command = z.object({ command: z.tuple([z.literal('sh'), z.literal('-c'), z.string()]) });
const Pod = z.object({ spec: z.object({ containers: z.tuple([Command]) }) });
const CronJob = z.object({
  kind: z.literal('CronJob'),
  spec: z.object({ jobTemplate: z.object({ spec: z.object({ template: Pod }) }) }),
});
const file = readFileSync(resolve(import.meta.dirname, '../admin/admin.yaml'), 'utf8');
const [script = ''] = parseAllDocuments(file).flatMap((one) => {
  const { data } = CronJob.safeParse(one.toJS());
  return data ? [data.spec.jobTemplate.spec.template.spec.containers[0].command[2]] : [];
});

const nameOf = (day: number) => `2020-01-0${day}T03-00-00Z`;

/** Runs the job's script on nine folders, of which the last is of an interrupted backup. */
async function start() {
  const root = await mkdtemp(join(tmpdir(), 'wayquest-cronjob-'));
  afterTest(() => rm(root, { recursive: true }));
  const [backups, programs] = [join(root, 'backups'), join(root, 'programs')];
  await mkdir(programs);
  // In the place of `node admin.mjs backup <folder>`.
  const program = '#!/bin/sh\nmkdir "$3" && [ -z "$FAILS" ] && echo {} > "$3/backup.json"\n';
  await writeFile(join(programs, 'node'), program, { mode: 0o755 });
  for (let day = 1; day <= 9; day++) {
    await mkdir(join(backups, nameOf(day)), { recursive: true });
    if (day < 9) await writeFile(join(backups, nameOf(day), 'backup.json'), '{}');
  }
  const run = (env: NodeJS.ProcessEnv = {}) =>
    promisify(execFile)('sh', ['-c', script.replaceAll(/\/backup(?=\/)/g, backups)], {
      env: { ...process.env, PATH: `${programs}:${process.env.PATH}`, ...env },
    });
  return { run, names: async () => (await readdir(backups)).filter((name) => !name.startsWith('.')).sort() };
}

it('keeps the seven newest complete backups, and those that are incomplete (55.11)', async () => {
  const { run, names } = await start();
  await run();
  const kept = await names();
  expect(kept.slice(0, -1)).toEqual([3, 4, 5, 6, 7, 8, 9].map(nameOf));
  expect(kept).toHaveLength(8);
});

it('deletes nothing if it fails, and succeeds afterwards (55.11)', async () => {
  const { run, names } = await start();
  const before = await names();
  for (let nth = 0; nth < 8; nth++) await expect(run({ FAILS: '1' })).rejects.toThrow();
  expect(await names()).toEqual(before);
  await run();
  expect(await names()).toHaveLength(8);
});
