import { type ServiceName, subscriptions } from '@wayquest/contracts';
import { connectAmqp } from './connect-amqp.ts';
import { declareQueues, queuesByUse, topologyNames } from './rabbitmq-topology.ts';

/** Numbers of events in the broker that are ready, or wait for a retry. Dead letters do not count. */
export async function countEventsOnRabbitMq({
  url,
  prefix,
}: {
  url: string;
  prefix: string;
}): Promise<number> {
  const names = topologyNames(prefix);
  const connection = await connectAmqp(url);
  try {
    const channel = await connection.createChannel();
    let count = 0;
    for (const service of Object.keys(subscriptions) as ServiceName[]) {
      const messageCounts = await declareQueues(channel, names, service);
      const { ready, retry } = queuesByUse(names, service);
      for (const queue of [...ready, ...retry]) count += messageCounts.get(queue) ?? 0;
    }
    await channel.close();
    return count;
  } finally {
    await connection.close();
  }
}
