import { describeWith, eventually, useShared } from '@wayquest/testing';
import { connectAmqp, countEventsOnRabbitMq } from '../src/bus/index.ts';
import { topologyNames } from '../src/bus/rabbitmq-topology.ts';

(await describeWith('rabbitmq'))('a broker', () => {
  it('counts ready events and pending retries, and no dead letters', async () => {
    const url = await useShared('rabbitmq');
    const prefix = `waiting-${Date.now()}`;
    expect(await countEventsOnRabbitMq({ url, prefix })).toBe(0);
    const names = topologyNames(prefix);
    const connection = await connectAmqp(url);
    const channel = await connection.createConfirmChannel();
    for (const queue of [names.queue('users'), names.deadQueue('chat')])
      channel.sendToQueue(queue, Buffer.from('{}'));
    await channel.waitForConfirms();
    await eventually(async () => expect(await countEventsOnRabbitMq({ url, prefix })).toBe(1));
    await connection.close();
  });
});
