import { connect } from 'node:net';

const patienceMs = 2_000;
const usualPorts: Record<string, number> = {
  mongodb: 27_017,
  amqp: 5_672,
  amqps: 5_671,
  redis: 6_379,
  rediss: 6_379,
};

/** Throws soon, with a sentence, if nothing responds at an address. `what` is the setting that names it. */
export async function assertReachable(what: string, address: string): Promise<void> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const port = Number(url?.port) || usualPorts[url?.protocol.replace(':', '') ?? ''];
  if (!url?.hostname || !port)
    throw new Error(`${what}: ${address} is no address of one server, such as amqp://localhost:5672`);
  const failure = await new Promise<string | undefined>((resolve) => {
    const socket = connect({ port, host: url.hostname, timeout: patienceMs });
    const end = (reason?: string) => {
      socket.destroy();
      resolve(reason);
    };
    socket.once('connect', () => end());
    socket.once('timeout', () => end('it is silent'));
    socket.once('error', (error) => end('code' in error ? String(error.code) : error.message));
  });
  if (failure) throw new Error(`${what}: nothing answers at ${url.host} (${failure})`);
}
