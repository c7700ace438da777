import {
  createProcessPart,
  createTcpProxy,
  describeWith,
  dropDatabases,
  eventually,
  storeUrl,
  testKeys,
  useShared,
} from '@wayquest/testing';

(await describeWith('rabbitmq'))('a service that starts before its broker', () => {
  it('is alive but not ready without the broker, logs that, and starts once the broker is available', async () => {
    const proxy = await createTcpProxy(await useShared('rabbitmq'));
    await proxy.disconnect();
    const INSTALLATION = `later-${Date.now()}`;
    const part = await createProcessPart({ name: 'friends', print: () => {} });
    const started = part.start({
      INSTALLATION,
      AMQP_URL: proxy.address,
      MONGO_URL: storeUrl(),
      JWT_PUBLIC_KEY: testKeys().publicKey,
      USERS_URL: 'http://users',
    });
    const statusOf = async (path: string) => {
      const response = await fetch(`${part.managementUrl}${path}`);
      return { status: response.status, text: await response.text() };
    };
    try {
      await eventually(async () => expect(await statusOf('/healthz')).toMatchObject({ status: 200 }), {
        withinMs: 60_000,
      });
      expect(await statusOf('/readyz')).toEqual({
        status: 503,
        text: 'not ready: the broker at AMQP_URL is not reachable yet\n',
      });
      await proxy.reconnect();
      await started;
      expect(await statusOf('/readyz')).toEqual({ status: 200, text: 'ready\n' });
    } finally {
      await part.stop();
      await proxy.disconnect();
      await dropDatabases(storeUrl(), [`${INSTALLATION}_friends`]);
    }
  });
});
