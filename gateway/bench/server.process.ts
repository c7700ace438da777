import { isServer, servers } from './servers.ts';

/** A server in its own process: sends its URL to the parent process, and the CPU time that it used on request. */
const [name = '', argument = ''] = process.argv.slice(2);
if (!isServer(name)) throw new Error(`there is no server '${name}'`);
process.send?.({ url: await servers[name](argument) });
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicroseconds: user + system });
});
process.on('disconnect', () => process.exit(0));
