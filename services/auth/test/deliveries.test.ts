import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  expectSameResponses,
  type Network,
  newUser,
  readCollections,
  recordEvents,
  startNetwork,
  testKeys,
  testPassword,
} from '@wayquest/testing';
import { createAuthService } from '../src/index.ts';

let network: Network;
beforeAll(async () => {
  network = await startNetwork({ services: ['auth', 'users'] });
});
afterAll(() => network?.stop());

it('rejects the same tokens in whatever order the revocations of another instance arrive', async () => {
  const ann = await newUser(network);
  const bob = await newUser(network);
  const login = async (password: string) =>
    (await network.client().login({ body: { username: ann.username, password } })).token;
  const tokens = [ann.token, await login(testPassword), bob.token];
  await network.settle();
  const stored = await readCollections(network, 'auth', ['accounts']);
  const history = recordEvents(network);

  await network.client(tokens[1]).logout();
  for (const [currentPassword, newPassword] of [
    [testPassword, 'another good password'],
    ['another good password', 'a third good password'],
  ] as const) {
    const token = await login(currentPassword);
    tokens.push(token);
    const body = { currentPassword, newPassword };
    tokens.push((await network.client(token).changePassword({ body })).token);
  }
  await network.settle();

  const areAccepted = (clientOf: Network['client']) =>
    Promise.all(
      tokens.map(async (token, index) => {
        const { username } = index === 2 ? bob : ann;
        const asked = clientOf(token).changeUsername({ body: { username } });
        return asked.then(
          () => true,
          ({ status }) => status !== 401,
        );
      }),
    );
  const inOrder = await expectSameResponses({
    service: 'auth',
    create: (deps) =>
      createAuthService({
        ...deps,
        privateKey: testKeys().privateKey,
        deletionGraceDays: 14,
        mail: { from: 'wayquest@localhost', directory: join(tmpdir(), deps.databasePrefix) },
      }),
    stored,
    history,
    readResponses: ({ client }) => areAccepted(client),
  });
  expect(inOrder).toEqual([false, false, true, false, false, false, true]);
});
