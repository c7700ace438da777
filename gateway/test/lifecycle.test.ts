import { cleanUp, gate, startGateway, startUpstream, unreachableUrl } from './support.ts';

afterEach(cleanUp);

it('is ready while it runs, even if no service responds', async () => {
  const gateway = await startGateway(unreachableUrl);
  expect([gateway.name, await gateway.ready()]).toEqual(['gateway', true]);
  await gateway.stop();
  expect(await gateway.ready()).toBe(false);
});

it('serves requests while load balancers notice that it is not ready', async () => {
  const { url: upstream } = await startUpstream((_incoming, response) => void response.end());
  const gateway = await startGateway(upstream, { drainMs: 1_000 });
  const url = `${gateway.url()}/api/users/`;
  const stopped = gateway.stop();
  expect([await gateway.ready(), (await fetch(url)).status]).toEqual([false, 200]);
  await stopped;
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});

it('finishes requests in progress before it stops, and accepts no new ones', async () => {
  const arrived = gate();
  const release = gate();
  const upstream = await startUpstream(async (_incoming, response) => {
    arrived.open();
    await release.promise;
    response.end('done');
  });
  const gateway = await startGateway(upstream.url);
  const url = gateway.url();
  const call = fetch(`${url}/api/users/`);
  await arrived.promise;
  const stopped = gateway.stop();
  await expect(fetch(`${url}/api/users/`)).rejects.toThrow('fetch failed');
  release.open();
  expect(await (await call).text()).toBe('done');
  await stopped;
});
