import { randomUUID } from 'node:crypto';
import { createClient } from '@wayquest/contracts';
import {
  befriend,
  describeWith,
  eventually,
  newUser,
  openTab,
  startCollector,
  startNetwork,
} from '@wayquest/testing';

(await describeWith('rabbitmq', 'redis'))('a trace across processes', () => {
  it('continues over RabbitMQ to a realtime node, and over Redis to the other one', async () => {
    await using collector = await startCollector();
    await using network = await startNetwork({
      as: 'processes',
      services: ['users', 'friends', 'chat', 'realtime'],
      redis: 'redis',
      replicas: { realtime: 2 },
      settings: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    });
    const [ada, bob] = [await newUser(network), await newUser(network)];
    await befriend(ada, bob);
    await network.settle();
    // Enough sockets that each of the two nodes has some.
    const tabs = await Promise.all(Array.from({ length: 12 }, () => openTab(network.url, bob.token)));
    const { id: conversationId } = await ada.client.openConversation({ body: { friend: bob.me } });
    const requestId = randomUUID();
    const tracedClient = createClient({
      baseUrl: network.url,
      token: () => ada.token,
      headers: () => ({ 'x-request-id': requestId }),
    });
    await tracedClient.sendMessage({ body: { conversationId, text: 'hello' } });
    await eventually(() => tabs.every(({ received }) => received.getMessage.length === 1));

    const deliveryEdge = 'realtime handle message.sent.v1 → realtime show getMessage';
    await eventually(() =>
      expect(collector.edgesOf(requestId).toSorted()).toEqual([
        'chat POST /api/messages → chat publish message.sent.v1',
        'chat publish message.sent.v1 → realtime handle message.sent.v1',
        'gateway POST /api/messages',
        'gateway POST /api/messages → chat POST /api/messages',
        deliveryEdge,
        deliveryEdge,
      ]),
    );
  });
});
