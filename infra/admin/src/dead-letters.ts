import type { ServiceName } from '@wayquest/contracts';
import {
  type DeadLetter,
  type DeadLetters,
  deadLettersInStore,
  deadLettersOnRabbitMq,
} from '@wayquest/platform/bus';
import { connectOrFail } from '@wayquest/platform/process';
import { connectMongo } from '@wayquest/platform/store';
import { createLogger } from '@wayquest/platform/telemetry';
import { type AdminSettings, printLine } from './command.ts';
import { onStore } from './store.ts';

/** Uses the broker of AMQP_URL, otherwise the store of the all-in-one process. */
async function withDeadLetters(
  settings: AdminSettings,
  use: (letters: DeadLetters) => Promise<DeadLetter[]>,
): Promise<DeadLetter[]> {
  const { AMQP_URL, INSTALLATION } = settings;
  if (AMQP_URL)
    return connectOrFail('AMQP_URL', use(deadLettersOnRabbitMq({ url: AMQP_URL, prefix: INSTALLATION })));
  return onStore(settings, async (url) => {
    const logger = createLogger({ name: 'admin', level: 'silent' });
    const connection = await connectMongo({ url, database: 'wayquest_bus', logger });
    try {
      return await use(deadLettersInStore(connection));
    } finally {
      await connection.close();
    }
  });
}

/** Lists or replays a service's dead letters. */
export async function handleDeadLetters(
  settings: AdminSettings,
  action: 'list' | 'replay',
  service: ServiceName,
): Promise<void> {
  const letters = await withDeadLetters(settings, (dead) => dead[action](service));
  for (const { occurredAt, event, id, reason } of letters)
    printLine(`${occurredAt}  ${event}  ${id}  ${reason}`);
  printLine(`${letters.length} ${action === 'list' ? 'dead' : 'sent again'}`);
}
