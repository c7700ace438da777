import { join } from 'node:path';
import { killChild, startChild, stopChild } from '../bench/child.ts';
import { runCrashes } from '../bench/crashes.ts';
import { fillDisk, idsOf, runConnections, runGarbage } from '../bench/hostile.ts';
import { newFolder } from './server.ts';

describe('whatever happens', () => {
  it('a kill in the midst of writes loses nothing acknowledged', async () => {
    const rounds = await runCrashes(newFolder(), 2, () => {});
    for (const round of rounds) {
      expect(round).toMatchObject({ lost: [], ghosts: [], disagreements: [] });
      expect(round.acknowledged).toBeGreaterThan(0);
    }
  }, 60_000);

  it('garbage and a crowd of connections leave it standing', async () => {
    const child = await startChild(newFolder());
    expect(await runGarbage(child.url, 1000, 1)).toEqual({ lost: 0 });
    expect(await runConnections(child.url, 300)).toBe(300);
    expect(child.process.exitCode).toBeNull();
    await stopChild(child);
  }, 60_000);

  it('a full disk is an error, and takes nothing away', async () => {
    const directory = join(newFolder(), 'data');
    const limited = await startChild(directory, 1024);
    const { acknowledged, codes } = await fillDisk(limited.url);
    expect([...codes]).toEqual([14031]);
    expect(await idsOf(limited.url)).toEqual(acknowledged);
    await killChild(limited);
    const roomy = await startChild(directory);
    expect(await idsOf(roomy.url)).toEqual(acknowledged);
    await stopChild(roomy);
  }, 60_000);

  it('a second process is told that the folder is taken', async () => {
    const directory = newFolder();
    const first = await startChild(directory);
    await expect(startChild(directory)).rejects.toThrow(`in use by process ${first.pid}`);
    await killChild(first);
    await stopChild(await startChild(directory));
  }, 60_000);
});
