import { killChild, startChild, stopChild } from '../bench/child.ts';
import { runCrashes } from '../bench/crashes.ts';
import { runConnections, runFullDisk, runGarbage } from '../bench/hostile.ts';
import { newFolder } from './server.ts';

describe('the server', () => {
  it('loses no acknowledged write if it is killed during writes', async () => {
    const rounds = await runCrashes(newFolder(), 2, () => {});
    for (const round of rounds) {
      expect(round).toMatchObject({ lost: [], unexpected: [], mismatches: [] });
      expect(round.acknowledged).toBeGreaterThan(0);
    }
  });

  it('survives 1,000 malformed messages and 300 connections', async () => {
    const child = await startChild(newFolder());
    expect(await runGarbage(child.url, 1000, 1)).toEqual({ lost: 0 });
    expect(await runConnections(child.url, 300)).toBe(300);
    expect(child.process.exitCode).toBeNull();
    await stopChild(child);
  });

  it('rejects writes with code 14031 while the disk is full, and loses nothing', async () => {
    const { before, during, after } = await runFullDisk(newFolder());
    expect(before.stored).toHaveLength(40);
    expect(during).toEqual({ stored: before.stored, rejections: Array(40).fill(14031) });
    expect(after.stored).toEqual([...before.stored, ...Array.from({ length: 40 }, (_, i) => 200 + i)]);
  });

  it('rejects a folder that another process uses, until that process was killed', async () => {
    const directory = newFolder();
    const first = await startChild(directory);
    await expect(startChild(directory)).rejects.toThrow(`in use by process ${first.pid}`);
    await killChild(first);
    await stopChild(await startChild(directory));
  });
});
