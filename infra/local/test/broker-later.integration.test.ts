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
  it('is alive, says what it waits for, and starts once that is available', async () => {
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
    const asked = async (path: string) => {
      const answer = await fetch(`${part.managementUrl}${path}`);
      return { status: answer.status, text: await answer.text() };
    };
    try {
      await eventually(async () => expect(await asked('/healthz')).toMatchObject({ status: 200 }), {
        withinMs: 60_000,
      });
      expect(await asked('/readyz')).toEqual({
        status: 503,
        text: 'not ready: the broker at AMQP_URL does not answer yet\n',
      });
      await proxy.reconnect();
      await started;
      expect(await asked('/readyz')).toEqual({ status: 200, text: 'ready\n' });
    } finally {
      await part.stop();
      await proxy.disconnect();
      await dropDatabases(storeUrl(), [`${INSTALLATION}_friends`]);
    }
  }, 120_000);
});
