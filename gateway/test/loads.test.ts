import { execFile } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** Returns the CommonJS packages that a module loads, from the cache; the clients of stores and brokers are CommonJS. */
async function packagesLoadedBy(file: string): Promise<string[]> {
  const script = `
    import Module from 'node:module';
    await import(${JSON.stringify(pathToFileURL(file).href)});
    console.log(JSON.stringify(Object.keys(Module._cache)));`;
  const flags = ['--import', 'tsx', '--conditions=@wayquest/source', '--input-type=module', '-e', script];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { maxBuffer: 10_000_000 });
  const paths: string[] = JSON.parse(stdout);
  return [...new Set(paths.map((path) => path.split('/node_modules/').pop()?.split('/')[0] ?? ''))];
}

test('the gateway’s process loads no store driver and no broker client', async () => {
  const loaded = await packagesLoadedBy(fileURLToPath(new URL('../src/gateway.ts', import.meta.url)));
  expect(loaded).toContain('ioredis');
  expect(loaded).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(mongoose|mongodb|amqplib)$/)]));
});
