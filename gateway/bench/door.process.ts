import { doors, isDoor } from './doors.ts';

/** One door in a process of its own; tells its parent the address, and on request how much CPU time it took. */
const [name = '', given = ''] = process.argv.slice(2);
if (!isDoor(name)) throw new Error(`there is no door '${name}'`);
process.send?.({ url: await doors[name](given) });
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicroseconds: user + system });
});
process.on('disconnect', () => process.exit(0));
