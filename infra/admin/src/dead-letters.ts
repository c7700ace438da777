import { serviceNames } from '@wayquest/contracts';
import {
  type DeadLetter,
  type DeadLetters,
  deadLettersInStore,
  deadLettersOnRabbitMq,
} from '@wayquest/platform/bus';
import { reached } from '@wayquest/platform/process';
import { connectMongo } from '@wayquest/platform/store';
import { createLogger } from '@wayquest/platform/telemetry';
import { type AdminSettings, fail, runCommand, say } from './command.ts';
import { storeIn } from './store.ts';

const [command, name, ...more] = process.argv.slice(2);
const service = serviceNames.find((one) => one === name);
if (!service || (command !== 'list' && command !== 'replay') || more.length) {
  fail(
    `npm run dead-letters -- list|replay ${serviceNames.join('|')}
with AMQP_URL on that broker, otherwise on the data in DATA_DIR or MONGO_URL`,
    2,
  );
}

/** With AMQP_URL those of the broker, otherwise those of the all-in-one installation in DATA_DIR. */
async function look(
  { AMQP_URL, MONGO_URL, DATA_DIR, INSTALLATION }: AdminSettings,
  use: (letters: DeadLetters) => Promise<DeadLetter[]>,
): Promise<DeadLetter[]> {
  if (AMQP_URL)
    return reached('AMQP_URL', use(deadLettersOnRabbitMq({ url: AMQP_URL, prefix: INSTALLATION })));
  const store = MONGO_URL ? { url: MONGO_URL, stop: async () => {} } : await storeIn(DATA_DIR);
  try {
    const logger = createLogger({ name: 'dead-letters', level: 'silent' });
    const connection = await connectMongo({ url: store.url, database: 'wayquest_bus', logger });
    try {
      return await use(deadLettersInStore(connection));
    } finally {
      // From here on its going away is no news.
      connection.removeAllListeners('disconnected');
      await connection.close();
    }
  } finally {
    await store.stop();
  }
}

await runCommand(async (settings) => {
  const letters = await look(settings, (dead) => dead[command](service));
  for (const { occurredAt, event, id, reason } of letters) say(`${occurredAt}  ${event}  ${id}  ${reason}`);
  say(`${letters.length} ${command === 'list' ? 'dead' : 'sent again'}`);
});
