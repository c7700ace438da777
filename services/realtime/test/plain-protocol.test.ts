import { eventually, type Network, startNetwork, testPassword } from '@wayquest/testing';
import { io } from 'socket.io-client';

let network: Network;
beforeAll(async () => {
  network = await startNetwork({ services: ['auth', 'users', 'friends', 'chat', 'realtime'] });
});
afterAll(() => network?.stop());

/** Sends a request as documented: with the token itself as the header, without the typed client. */
async function call(method: string, path: string, token?: string, body?: unknown) {
  const response = await fetch(network.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: token }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(response.ok).toBe(true);
  return response.json();
}

async function person(username: string) {
  const { token } = await call('POST', '/auth/signup', undefined, { username, password: testPassword });
  const auth = await call('GET', '/auth/me', token);
  const socket = io(network.url, { auth: { token }, forceNew: true });
  const messages: { senderId: number; text: string }[] = [];
  let online: { userId: number }[] = [];
  socket.on('getMessage', (message) => messages.push({ senderId: message.senderId, text: message.text }));
  socket.on('getUsers', (users) => {
    online = users;
  });
  socket.emit('addUser', auth.id);
  return { token, auth, socket, messages, online: () => online };
}

it('the documented protocol is enough to become friends, see each other online and send messages', async () => {
  const ada = await person('plain-ada');
  const ben = await person('plain-ben');
  try {
    const request = await call('POST', '/api/friendrequests/', ada.token, { friendId: ben.auth.id });
    expect(await call('GET', '/api/friendrequests/', ben.token)).toMatchObject([
      { id: request.id, userId: ada.auth.id, friendId: ben.auth.id, status: 'pending' },
    ]);
    expect(await call('PUT', `/api/friendrequests/${request.id}`, ben.token)).toMatchObject({
      status: 'accepted',
    });
    await eventually(() => ada.online().some(({ userId }) => userId === ben.auth.id));
    await eventually(() => ben.online().some(({ userId }) => userId === ada.auth.id));

    const friend = await call('GET', `/api/users/${ben.auth.id}`);
    const conversation = await call('POST', '/api/conversations', ada.token, { friend, auth: ada.auth });
    expect(await call('GET', `/api/conversations/${ben.auth.id}`, ben.token)).toMatchObject([
      { id: conversation.id, senderId: conversation.senderId, receiverId: conversation.receiverId },
    ]);

    const send = async (from: typeof ada, to: typeof ada, text: string) => {
      from.socket.emit('sendMessage', { senderId: from.auth.id, receiverId: to.auth.id, text });
      return call('POST', '/api/messages', from.token, {
        sender: from.auth.id,
        text,
        conversationId: conversation.id,
      });
    };
    const first = await send(ada, ben, 'Hello Ben');
    await eventually(() => ben.messages.length === 1);
    const second = await send(ben, ada, 'Hello Ada');
    await eventually(() => ada.messages.length === 2 && ben.messages.length === 2);
    const conversationMessages = [
      { senderId: ada.auth.id, text: 'Hello Ben' },
      { senderId: ben.auth.id, text: 'Hello Ada' },
    ];
    expect([ada.messages, ben.messages]).toEqual([conversationMessages, conversationMessages]);
    const can = { delete: false, report: true };
    expect(await call('GET', `/api/messages/${conversation.id}`, ada.token)).toEqual([
      first,
      { ...second, can },
    ]);
  } finally {
    ada.socket.disconnect();
    ben.socket.disconnect();
  }
});
