import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startPeer } from '../peers/chat.ts';
import { startWayquest } from './wayquest.ts';

/** One of the compared programs, in its own process: reports its URL, and its resource usage on request. */
const [which, mongoUrl = '', database = '', secret = ''] = process.argv.slice(2);

async function start(): Promise<string> {
  if (which === 'wayquest') return (await startWayquest(mongoUrl, 0)).url;
  const address = (await startPeer(mongoUrl, database, secret)).address();
  if (address === null || typeof address === 'string') throw new Error('it listens nowhere');
  return `http://127.0.0.1:${address.port}`;
}

const url = await start();
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const lagMs = delay.max / 1e6;
  globalThis.gc?.();
  delay.reset();
  const { heapUsed, rss } = process.memoryUsage();
  process.send?.({ cpuMs: (user + system) / 1_000, heapKiB: heapUsed / 1_024, rssKiB: rss / 1_024, lagMs });
});
process.send?.({ url });
process.on('disconnect', () => process.exit());
