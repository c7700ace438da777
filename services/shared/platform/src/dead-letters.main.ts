import { type ServiceName, subscriptions } from '@wayquest/contracts';
import { listDeadLetters, replayDeadLetters } from './dead-letters.ts';

const [command, service] = process.argv.slice(2);
const url = process.env.AMQP_URL;
const isService = (name: string | undefined): name is ServiceName =>
  name !== undefined && Object.hasOwn(subscriptions, name);

if (!url || !isService(service) || (command !== 'list' && command !== 'replay')) {
  const services = Object.keys(subscriptions).join('|');
  process.stderr.write(`AMQP_URL=amqp://… npm run dead-letters -- list|replay ${services}\n`);
  process.exit(2);
}

const letters = await (command === 'list' ? listDeadLetters : replayDeadLetters)({ url, service });
for (const { occurredAt, event, id, reason } of letters) {
  process.stdout.write(`${occurredAt}  ${event}  ${id}  ${reason}\n`);
}
process.stdout.write(`${letters.length} ${command === 'list' ? 'dead' : 'sent again'}\n`);
