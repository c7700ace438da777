import { socketClientOptions } from '@wayquest/contracts';
import { closeTabs, eventually, type Network, newUser, openTab, startNetwork } from '@wayquest/testing';
import { Manager } from 'socket.io-client';

let network: Network;
beforeAll(async () => {
  network = await startNetwork();
});
afterEach(closeTabs);
afterAll(() => network?.stop());

/** A connection below Socket.IO's client, which would never say such things. */
async function connection(transport: string) {
  const manager = new Manager(network.url, {
    ...socketClientOptions,
    transports: [transport],
    reconnection: false,
    autoConnect: false,
  });
  await new Promise<void>((resolve, reject) => manager.open((error) => (error ? reject(error) : resolve())));
  const { engine } = manager;
  const heard: string[] = [];
  let isOpen = true;
  engine.on('data', (data) => heard.push(String(data)));
  engine.once('close', () => {
    isOpen = false;
  });
  return { engine, heard, isOpen: () => isOpen };
}

describe.each(['websocket', 'polling'])('a connection by %s', (transport) => {
  it.each([
    ['with a bad token', '0{"token":"nonsense"}'],
    ['without a token', '0'],
    ['to a namespace that there is not', '0/admin,{"token":"nonsense"}'],
  ])('is told why and closed when it joins %s', async (_, join) => {
    const { engine, heard, isOpen } = await connection(transport);
    engine.send(join);
    // Sooner than one that says nothing at all.
    await eventually(() => !isOpen(), { withinMs: 5_000 });
    expect(heard).toEqual([expect.stringMatching(/^4/)]);
  });

  it('is closed when it sends too many packets, and the others stay open', async () => {
    const [ann, ben] = [await newUser(network), await newUser(network)];
    const tab = await openTab(network.url, ben.token);
    const { engine, heard, isOpen } = await connection(transport);
    engine.send(`0${JSON.stringify({ token: ann.token })}`);
    await eventually(() => heard.some((data) => data.startsWith('0')));
    for (let packet = 0; packet < 5_000 && isOpen(); packet++) {
      engine.send(`2["addUser",${ann.me.id}]`);
      if (packet % 100 === 99) await eventually(() => !isOpen() || !engine.writeBuffer.length);
    }
    await eventually(() => !isOpen());
    expect(await tab.socket.emitWithAck('addUser', ben.me.id)).toEqual({ ok: true });
  });
});
