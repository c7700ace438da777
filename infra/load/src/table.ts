/** Figures of a part of the benchmark, by name. */
export type Figures = Record<string, number>;

/** A row of the table: what is measured, its target, and the measured value. */
export interface Row {
  what: string;
  target: string;
  measured(figures: Figures): string;
  met(figures: Figures): boolean;
}

/** A program that measures a part of the product. */
export interface Part {
  /** Relative to the repository's root. */
  program: string;
  args?: string[];
  env?: Record<string, string>;
  rows: Row[];
}

const of = (figures: Figures, name: string): number => figures[name] ?? Number.NaN;
const shown = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(value < 10 ? 2 : 1));

const bounded =
  (sign: '≤' | '≥', isMet: (value: number, bound: number) => boolean) =>
  (what: string, name: string, bound: number, unit = '', beside?: (figures: Figures) => string): Row => ({
    what,
    target: `${sign} ${bound}${unit && ` ${unit}`}`,
    measured: (figures) =>
      `${shown(of(figures, name))}${unit && ` ${unit}`}${beside ? ` (${beside(figures)})` : ''}`,
    met: (figures) => isMet(of(figures, name), bound),
  });

const atMost = bounded('≤', (value, bound) => value <= bound);
const atLeast = bounded('≥', (value, bound) => value >= bound);

const against = (ours: string, theirs: string, unit: string) => (figures: Figures) =>
  `${shown(of(figures, ours))} against ${shown(of(figures, theirs))} ${unit}`;

const { FEW = '1000', MANY = '100000' } = process.env;
const many = `among ${MANY} relative to ${FEW}`;

const page = (path: string) => [
  atMost(
    `first load of ${path}, LCP, the worst of visitor and member, phone and desk`,
    `lcp ${path}`,
    1_800,
    'ms',
  ),
  atMost('… CLS', `cls ${path}`, 0.02),
  atMost('… longest task', `longest ${path}`, 200, 'ms'),
];

/** The parts by name. */
export const parts: Record<string, Part> = {
  gateway: {
    program: 'gateway/bench/proxied-path.ts',
    rows: [
      atMost(
        'gateway: CPU of a proxied request, relative to Express with http-proxy-middleware, keep-alive',
        'cpu',
        0.4,
        '',
        against('µs', 'µs peer', 'µs'),
      ),
      atLeast('… requests per second', 'throughput', 2.5, '', against('rps', 'rps peer', 'per second')),
    ],
  },
  log: {
    program: 'infra/load/src/log.ts',
    rows: [
      atMost('a log line', 'µs', 7, 'µs', (figures) => `${shown(of(figures, 'µs pino'))} µs of pino alone`),
    ],
  },
  chat: {
    program: 'infra/load/src/chat.ts',
    rows: [
      atLeast(
        'messages per second in one conversation, relative to the peer',
        'one',
        0.8,
        '',
        against('one ours', 'one peer', 'per second'),
      ),
      atMost(
        'CPU of a message in many conversations, relative to the peer',
        'many cpu',
        1.5,
        '',
        against('many cpu ours', 'many cpu peer', 'ms'),
      ),
      atMost(
        'a list of 200 conversations',
        'list ours',
        15,
        'ms',
        (figures) => `${shown(of(figures, 'list peer'))} ms of the peer`,
      ),
      atMost(
        'CPU of a message sent to sockets, relative to Socket.IO that saves first',
        'socket cpu',
        1.5,
        '',
        against('socket cpu ours', 'socket cpu peer', 'ms'),
      ),
      atMost(
        '… delivery time, p50',
        'p50 ours',
        8,
        'ms',
        (figures) => `${shown(of(figures, 'p50 peer'))} ms of the peer`,
      ),
      atMost(
        '… delivery time, p99',
        'p99 ours',
        30,
        'ms',
        (figures) => `${shown(of(figures, 'p99 peer'))} ms of the peer`,
      ),
      atMost('… lost', 'lost ours', 0),
      atMost(
        'CPU to accept a socket, relative to Socket.IO',
        'accept cpu',
        1.5,
        '',
        against('accept cpu ours', 'accept cpu peer', 'ms'),
      ),
      atMost(
        'memory of a socket (heap), relative to Socket.IO',
        'heap',
        0.8,
        '',
        against('heap ours', 'heap peer', 'KiB'),
      ),
      atMost(
        '… RSS',
        'rss ours',
        20,
        'KiB',
        (figures) => `${shown(of(figures, 'rss peer'))} KiB of the peer`,
      ),
    ],
  },
  events: {
    program: 'infra/load/src/events.ts',
    rows: [
      atLeast(
        'events per second through RabbitMQ, 100 concurrent writes, relative to the inserts alone',
        'events',
        0.7,
        '',
        against('ours', 'theirs', 'per second'),
      ),
      atMost(
        '… from a write to its handler, one at a time, p99',
        'p99 alone',
        10,
        'ms',
        (figures) => `p50 ${shown(of(figures, 'p50 alone'))} ms`,
      ),
    ],
  },
  herd: {
    program: 'infra/load/src/herd.ts',
    rows: [
      atMost(
        'time until 5,000 sockets that were dropped together are connected again (SOCKETS)',
        'back',
        60,
        's',
      ),
      atMost(
        '… p95 of other calls meanwhile, relative to before',
        'grown',
        1.2,
        '',
        against('storm', 'calm', 'ms'),
      ),
      atMost('… rejected calls of others', 'refused', 0, ''),
    ],
  },
  login: {
    program: 'infra/load/src/login.ts',
    rows: [
      atLeast(
        'logins per second, relative to argon2 verifications alone',
        'login',
        0.9,
        '',
        (figures) => `CPU of each ${against('cpu', 'cpu alone', 'ms')(figures)}`,
      ),
      atMost('… longest block of the event loop', 'lag', 25, 'ms'),
    ],
  },
  people: {
    program: 'infra/load/src/people.ts',
    rows: [
      ...['leaderboard, page 1', 'leaderboard, the last page', 'leaderboard, around me'],
      ...['people, by a rare name', 'people, by a common name', 'people, six suggested'],
    ].map((what) => atMost(`${what}, ${many}`, what, 1.5)),
  },
  map: {
    program: 'infra/load/src/map.ts',
    env: { ROUNDS: '20' },
    rows: [
      atMost(
        `\`near\`, 50 of a city, ${many}`,
        'near, 50 of a city',
        2,
        '',
        (figures) => `${shown(of(figures, 'near, 50 of a city, ms'))} ms`,
      ),
      atMost(
        `a page of 24 challenges, ${many}`,
        'all, a page',
        1.5,
        '',
        (figures) =>
          `${shown(of(figures, 'all, a page, ms'))} ms; 500 of them ${shown(of(figures, 'all, 500, ms'))} ms`,
      ),
    ],
  },
  start: {
    program: 'infra/load/src/start.ts',
    rows: [
      atMost('second `make start` to the first response', 'start', 1_500, 'ms'),
      atMost('memory of the all-in-one', 'memory', 180, 'MiB'),
      atMost('idle: CPU of the all-in-one', 'cpu', 0.5, '% of a core'),
      atMost('idle: store commands', 'commands', 2, 'per second'),
    ],
  },
  size: {
    program: 'web/scripts/size.mjs',
    rows: [
      atMost('JavaScript of the first page, a visitor', '/home, a visitor', 110, 'kB'),
      atMost('… a member, without the socket', '/home, a member', 140, 'kB'),
    ],
  },
  'first-load': {
    program: 'web/scripts/first-load.ts',
    env: { ROUTES: '/home,/leaderboard,/explore' },
    rows: ['/home', '/leaderboard', '/explore'].flatMap(page),
  },
  images: {
    program: 'infra/load/src/images.ts',
    rows: [atMost('the largest image of a service, without its base image', 'above', 60, 'MB')],
  },
};
