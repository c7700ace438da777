import { createECDH, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@wayquest/contracts';
import { freePort, testPassword } from '@wayquest/testing';
import { type AllInOneProcess, startAllInOne } from './all-in-one-process.ts';

let directory: string;
let pushService: Server;
let wayquest: AllInOneProcess | undefined;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'wayquest-push-'));
  pushService = createServer().listen(0, '127.0.0.1');
  await once(pushService, 'listening');
});
afterEach(async () => {
  await wayquest?.end('SIGTERM');
  pushService.close();
  await rm(directory, { recursive: true, force: true });
});

// In its own process, to test effects of one part on the whole process, such as another dispatcher of `fetch`.
test('a friend request reaches a browser’s push service from the process of make start', async () => {
  const origin = `http://127.0.0.1:${(pushService.address() as AddressInfo).port}`;
  const pushed = new Promise<{ path: string | undefined; bytes: number }>((resolve) => {
    pushService.once('request', (request, response) => {
      let bytes = 0;
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      request.on('end', () => {
        response.writeHead(201).end();
        resolve({ path: request.url, bytes });
      });
    });
  });
  wayquest = await startAllInOne({
    ...{ DATA_DIR: directory, PORT: String(await freePort()) },
    ...{ PUSH_SERVICES: origin, PUSH_CONTACT: 'mailto:people@wayquest.example' },
  });
  const { url } = wayquest;
  const signup = async (username: string) => {
    const { token } = await createClient({ baseUrl: url }).signup({
      body: { username, password: testPassword },
    });
    return createClient({ baseUrl: url, token: () => token });
  };
  const [ann, bob] = [await signup('ann'), await signup('bob')];
  const browser = createECDH('prime256v1');
  browser.generateKeys();
  const keys = {
    p256dh: browser.getPublicKey('base64url'),
    auth: randomBytes(16).toString('base64url'),
  };
  await ann.subscribeToPush({ body: { endpoint: `${origin}/ann`, keys, language: 'en' } });
  await bob.requestFriend({ body: { friendId: (await ann.getMe({})).id } });
  expect(await pushed).toEqual({ path: '/ann', bytes: expect.any(Number) });
});
