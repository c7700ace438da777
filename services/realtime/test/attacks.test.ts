import { socketClientOptions } from '@wayquest/contracts';
import { closeTabs, eventually, type Network, newUser, openTab, startNetwork } from '@wayquest/testing';
import { Manager } from 'socket.io-client';

let network: Network;
beforeAll(async () => {
  network = await startNetwork({ services: ['auth', 'users', 'realtime'] });
});
afterEach(closeTabs);
afterAll(() => network?.stop());

/** Opens an Engine.IO connection, since Socket.IO's client would not send invalid packets. */
async function connection(transport: string) {
  const manager = new Manager(network.url, {
    ...socketClientOptions,
    transports: [transport],
    reconnection: false,
    autoConnect: false,
  });
  await new Promise<void>((resolve, reject) => manager.open((error) => (error ? reject(error) : resolve())));
  const { engine } = manager;
  const received: string[] = [];
  let isOpen = true;
  engine.on('data', (data) => received.push(String(data)));
  engine.once('close', () => {
    isOpen = false;
  });
  return { engine, received, isOpen: () => isOpen };
}

describe.each(['websocket', 'polling'])('a connection by %s', (transport) => {
  it.each([
    ['with a bad token', '0{"token":"nonsense"}'],
    ['without a token', '0'],
    ['to an unknown namespace', '0/admin,{"token":"nonsense"}'],
  ])('receives an error and is closed when it joins %s', async (_, join) => {
    const { engine, received, isOpen } = await connection(transport);
    engine.send(join);
    // Sooner than a connection that sends nothing.
    await eventually(() => !isOpen(), { withinMs: 5_000 });
    expect(received).toEqual([expect.stringMatching(/^4/)]);
  });

  it('gets no more than fifty sockets, however many it asks for at once (code 12)', async () => {
    const ann = await newUser(network);
    const { engine, received, isOpen } = await connection(transport);
    // Fewer than those that close a connection.
    for (let packet = 0; packet < 120; packet += 1) engine.send(`0${JSON.stringify({ token: ann.token })}`);
    await eventually(() => !isOpen());
    expect(received.filter((data) => data.startsWith('0')).length).toBeLessThanOrEqual(50);
    const tab = await openTab(network.url, ann.token);
    expect(await tab.socket.emitWithAck('addUser', ann.me.id)).toEqual({ ok: true });
  });

  it('is closed when it sends too many packets, and other connections stay open', async () => {
    const [ann, ben] = [await newUser(network), await newUser(network)];
    const tab = await openTab(network.url, ben.token);
    const { engine, received, isOpen } = await connection(transport);
    engine.send(`0${JSON.stringify({ token: ann.token })}`);
    await eventually(() => received.some((data) => data.startsWith('0')));
    for (let packet = 0; packet < 5_000 && isOpen(); packet++) {
      engine.send(`2["addUser",${ann.me.id}]`);
      if (packet % 100 === 99) await eventually(() => !isOpen() || !engine.writeBuffer.length);
    }
    await eventually(() => !isOpen());
    expect(await tab.socket.emitWithAck('addUser', ben.me.id)).toEqual({ ok: true });
  });
});
