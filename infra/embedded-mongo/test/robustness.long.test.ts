import { killChild, startChild, stopChild } from '../bench/child.ts';
import { runCrashes } from '../bench/crashes.ts';
import { runConnections, runFullDisk, runGarbage } from '../bench/hostile.ts';
import { newFolder } from './server.ts';

describe('whatever happens', () => {
  it('a kill during writes loses nothing acknowledged', async () => {
    const rounds = await runCrashes(newFolder(), 2, () => {});
    for (const round of rounds) {
      expect(round).toMatchObject({ lost: [], ghosts: [], disagreements: [] });
      expect(round.acknowledged).toBeGreaterThan(0);
    }
  });

  it('garbage and many connections do not crash it', async () => {
    const child = await startChild(newFolder());
    expect(await runGarbage(child.url, 1000, 1)).toEqual({ lost: 0 });
    expect(await runConnections(child.url, 300)).toBe(300);
    expect(child.process.exitCode).toBeNull();
    await stopChild(child);
  });

  it('a full disk is an error, and loses nothing', async () => {
    const { before, during, after } = await runFullDisk(newFolder());
    expect(before.stored).toHaveLength(40);
    expect(during).toEqual({ stored: before.stored, refusals: Array(40).fill(14031) });
    expect(after.stored).toEqual([...before.stored, ...Array.from({ length: 40 }, (_, i) => 200 + i)]);
  });

  it('a second process cannot use the folder', async () => {
    const directory = newFolder();
    const first = await startChild(directory);
    await expect(startChild(directory)).rejects.toThrow(`in use by process ${first.pid}`);
    await killChild(first);
    await stopChild(await startChild(directory));
  });
});
