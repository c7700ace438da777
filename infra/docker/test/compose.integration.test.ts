import { execFile } from 'node:child_process';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createClient, serviceNames } from '@wayquest/contracts';
import { tagOfSocketId } from '@wayquest/platform/http';
import { closeTabs, describeWith, eventually, freePort, openTab, useShared } from '@wayquest/testing';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');

(await describeWith('compose', 'images'))('Wayquest in containers', () => {
  const project = `wayquest-test-${process.pid}`;
  let url: string;
  let env: NodeJS.ProcessEnv;

  const compose = async (...args: string[]) => {
    const { stdout } = await run('docker', ['compose', '--project-name', project, ...args], {
      cwd: root,
      env,
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  };

  beforeAll(async () => {
    const port = await freePort();
    url = `http://localhost:${port}`;
    const { MONGO_URL: _m, AMQP_URL: _a, REDIS_URL: _r, ...others } = process.env;
    // The machine of a test may be slow; what then happens is tested elsewhere.
    const STORE_TIMEOUT_MS = '30000';
    env = { ...others, STORE_TIMEOUT_MS, PORT: String(port), WAYQUEST_IMAGE: await useShared('images') };
    try {
      await compose('up', '--detach', '--wait', '--scale', 'realtime=3', '--scale', 'chat=2');
    } catch (error) {
      throw new Error(await compose('logs', '--tail', '20', '--no-color'), { cause: error });
    }
  }, 900_000);

  afterAll(async () => {
    // Docker may refuse to remove a network whose last container it has just removed, and some versions do so until they
    // are restarted, with no container left. What the network belonged to is gone then.
    const down = () => compose('down', '--volumes', '--timeout', '3');
    await eventually(down, { withinMs: 60_000, everyMs: 1_000 }).catch((error) => {
      if (!String(error).includes('has active endpoints')) throw error;
      process.stdout.write(`${error}\n`);
    });
  });

  const signUp = async (username: string) => {
    const { token } = await createClient({ baseUrl: url }).signup({
      body: { username, password: 'correct horse battery staple' },
    });
    return createClient({ baseUrl: url, token: () => token });
  };

  const logIn = async (username: string) => {
    const { token } = await createClient({ baseUrl: url }).login({
      body: { username, password: 'correct horse battery staple' },
    });
    return { token, client: createClient({ baseUrl: url, token: () => token }) };
  };

  test('serves the web app and the core journey over RabbitMQ', async () => {
    const page = await fetch(`${url}/home`, { headers: { accept: 'text/html' } });
    expect(await page.text()).toContain('Challenge Yourself to Explore Your World');

    const maker = await signUp('maker');
    const walker = await signUp('walker');
    const { id } = await maker.createChallenge({ body: { name: 'Walk', difficulty: 'Hard' } });
    const participation = await walker.joinChallenge({ body: { challengeId: id } });
    await walker.updateParticipation({ params: { id: participation.id }, body: { completed: true } });
    await eventually(async () => expect((await walker.getMe()).points).toBe(30), { withinMs: 30_000 });
  });

  test('shows each message once on every tab, with several instances of realtime and chat', async () => {
    const [maker, walker] = await Promise.all([logIn('maker'), logIn('walker')]);
    const { id } = await maker.client.requestFriend({ body: { friendId: (await walker.client.getMe()).id } });
    await walker.client.acceptFriend({ params: { id } });
    const friend = await walker.client.getMe();
    const conversation = await maker.client.openConversation({ body: { friend } });
    const tabs = await Promise.all(
      [maker, walker].flatMap(({ token }) => [1, 2, 3, 4].map(() => openTab(url, token))),
    );
    // All eight on one of three instances happens once in two thousand runs.
    expect(new Set(tabs.map(({ socket }) => tagOfSocketId(socket.io.engine.id))).size).toBeGreaterThan(1);

    const texts = Array.from({ length: 20 }, (_, n) => String(n));
    for (const text of texts)
      await maker.client.sendMessage({ body: { conversationId: conversation.id, text } });
    for (const { received } of tabs) {
      await eventually(() => received.getMessage.length >= texts.length, { withinMs: 30_000 });
      expect(received.getMessage.map(({ text }) => text).toSorted()).toEqual(texts.toSorted());
    }
    closeTabs();
  });

  test('runs as an unprivileged user, on a read-only file system', async () => {
    expect((await compose('exec', '--no-TTY', 'auth', 'id', '-u')).trim()).toBe('1000');
    await expect(compose('exec', '--no-TTY', 'auth', 'touch', '/app/x')).rejects.toThrow('Read-only');
    // Only auth has the private key.
    await expect(compose('exec', '--no-TTY', 'users', 'cat', '/keys/private/key.pem')).rejects.toThrow();
    // Only `admin` can change the keys.
    const retired = await compose('run', '--rm', '--no-TTY', 'admin', 'retire-keys', 'now');
    expect(retired).toBe('0 keys were taken out.\n');
  });

  test('rejects access to the stores without the passwords generated at the first start', async () => {
    const secretOf = async (service: string, file: string) =>
      (await compose('exec', '--no-TTY', service, 'cat', `/keys/${file}`)).trim();
    const [mongo, redis] = [
      await secretOf('mongo', 'mongo/password'),
      await secretOf('redis', 'redis/password'),
    ];
    expect(mongo).toMatch(/^[\w-]{32}$/);
    expect(redis).not.toBe(mongo);
    const without = await compose('exec', '--no-TTY', 'redis', 'redis-cli', 'dbsize').catch(String);
    expect(without).toContain('NOAUTH');
    // The gateway knows the password of Redis, and no others.
    await expect(secretOf('gateway', 'stores/mongo-url')).rejects.toThrow('No such file');
    // A service knows only the password of its own database.
    await expect(secretOf('rabbitmq', 'mongo/password')).rejects.toThrow('No such file');
    expect(await compose('exec', '--no-TTY', 'rabbitmq', 'ls', '/keys')).toBe('rabbitmq\n');
    expect(await compose('exec', '--no-TTY', 'mongo', 'ls', '/keys')).toBe('mongo\n');
    const settings = await compose('config');
    expect(settings).not.toContain('wayquest:wayquest');
    /** Reads a database with the credentials of a service; returns the outcome. */
    const triedBy = async (service: string, url: string, database: string) => {
      // The image contains no driver beside the bundle.
      const tried = await compose(
        ...['run', '--rm', '--no-TTY', '--no-deps', '--volume', `${root}/node_modules:/app/node_modules:ro`],
        ...['--entrypoint', 'node', service, '--input-type=module', '--eval'],
        `import { readFileSync } from 'node:fs';
         import mongoose from 'mongoose';
         const store = await mongoose.createConnection(${url}).asPromise();
         const any = store.getClient().db('${database}').collection('any');
         console.log(await any.findOne().then(() => 'read it', ({ code }) => 'refused ' + code));
         process.exit();`,
      );
      return tried.trim();
    };
    // What is acknowledged is on the disk (55.2).
    expect(await secretOf('users', 'stores/mongo-url')).toMatch(/[?&]journal=true(&|$)/);
    const own = `readFileSync('/keys/stores/mongo-url', 'utf8')`;
    expect(await triedBy('users', `'mongodb://mongo:27017'`, 'wayquest_users')).toBe('refused 13');
    expect(await triedBy('users', own, 'wayquest_users')).toBe('read it');
    expect(await triedBy('users', own, 'wayquest_auth')).toBe('refused 13');
    expect(await triedBy('realtime', own, 'wayquest_chat')).toBe('refused 13');
  });

  test('gives each service a RabbitMQ user who may use its own queues only (55.9)', async () => {
    const listed = await compose(
      'exec',
      '--no-TTY',
      'rabbitmq',
      'rabbitmqctl',
      'list_permissions',
      '--quiet',
    );
    const rights = new Map(
      listed
        .trim()
        .split('\n')
        .map((line) => line.split('\t'))
        .map(([user = '', ...permissions]) => [user, permissions] as const),
    );
    const own = '[a-z0-9_-]+\\.chat(\\..*)?';
    expect(rights.get('chat')).toEqual([`^${own}$`, `^(amq\\.default|${own})$`, `^${own}$`]);
    for (const service of serviceNames) expect([...rights.keys()]).toContain(service);
    const url = await compose('exec', '--no-TTY', 'chat', 'cat', '/keys/stores/amqp-url');
    expect(url).toMatch(/^amqp:\/\/chat:[\w-]{32}@rabbitmq:5672$/);
    // They work: the journey above has passed through all of their queues.
    const waiting = await compose(
      'exec',
      '--no-TTY',
      'rabbitmq',
      'rabbitmqctl',
      'list_queues',
      '--quiet',
      'name',
    );
    for (const service of serviceNames) expect(waiting).toContain(`wayquest.${service}.dead`);
  });

  test('gives each program a Redis user who may use its own keys only (55.9)', async () => {
    const inRedis = async (...command: string[]) =>
      (await compose('exec', '--no-TTY', 'redis', ...command)).trim();
    const as = async (program: string, ...command: string[]) => {
      const address = await compose('exec', '--no-TTY', program, 'cat', '/keys/stores/redis-url');
      return inRedis('redis-cli', '--no-auth-warning', '-u', address.trim(), ...command);
    };
    expect(await as('chat', 'set', 'wayquest:chat:any', '1')).toBe('OK');
    expect(await as('realtime', 'spublish', 'wayquest#/#any#', '{}')).toBe('0');
    const refused: [string, ...string[]][] = [
      ['chat', 'get', 'wayquest:auth:any'],
      ['chat', 'get', 'wayquest:presence:person:1'],
      ['chat', 'spublish', 'wayquest#/#any#', '{}'],
      ['realtime', 'get', 'wayquest:chat:any'],
      ['gateway', 'set', 'wayquest:any', '1'],
      ['gateway', 'config', 'get', 'requirepass'],
      ['gateway', 'flushall'],
    ];
    for (const attempt of refused)
      expect([attempt, await as(...attempt)]).toEqual([attempt, expect.stringMatching(/^NOPERM /)]);
    // They work: the sign-ups above were counted in Redis, not in memory instead; and nothing was refused.
    const scan =
      'REDISCLI_AUTH="$(cat /keys/redis/password)" redis-cli --scan --pattern "wayquest:auth:limit:*"';
    expect(await inRedis('sh', '-c', scan)).toContain('wayquest:auth:limit:');
    expect(await compose('logs', '--no-color')).not.toContain('NOPERM');
  });

  test('lets nobody but its reader read a password file (55.9)', async () => {
    const modeOf = async (service: string, file: string) =>
      (await compose('exec', '--no-TTY', service, 'stat', '--format', '%a', file)).trim();
    for (const file of [
      'mongo-url',
      'mongo-password',
      'amqp-url',
      'rabbitmq-password',
      'redis-url',
      'redis-password',
    ])
      expect([file, await modeOf('chat', `/keys/stores/${file}`)]).toEqual([file, '400']);
    expect(await modeOf('auth', '/keys/private/key.pem')).toBe('400');
    // The operator's password is where Redis runs, and nowhere else.
    await expect(modeOf('chat', '/keys/redis/password')).rejects.toThrow('No such file');
  });

  test('keeps security events apart from the log of calls (55.12)', async () => {
    const wrong = createClient({ baseUrl: url }).login({ body: { username: 'maker', password: 'not mine' } });
    await expect(wrong).rejects.toMatchObject({ problem: { code: 'invalid-credentials' } });
    const kept = await compose('exec', '--no-TTY', 'auth', 'cat', '/data/security/auth.log');
    expect(JSON.parse(kept.trim().split('\n').at(-1) ?? '')).toMatchObject({ security: 'login-failed' });
  });

  test('confines the stores: few capabilities, no way out, read-only roots where their images allow it, and a Redis that refuses writes before it is killed (55.9)', async () => {
    const inspected = async (service: string) => {
      const [id = ''] = (await compose('ps', '--quiet', service)).trim().split('\n');
      const { stdout } = await run('docker', ['inspect', id]);
      const [{ HostConfig: host, NetworkSettings: network }] = JSON.parse(stdout);
      return { host, networks: Object.keys(network.Networks) };
    };
    for (const store of ['mongo', 'rabbitmq', 'redis']) {
      const { host, networks } = await inspected(store);
      expect(host).toMatchObject({
        CapDrop: ['ALL'],
        CapAdd: expect.not.arrayContaining(['CAP_SYS_ADMIN', 'CAP_NET_RAW', 'CAP_SYS_PTRACE']),
        SecurityOpt: ['no-new-privileges:true'],
        PidsLimit: 4_096,
        ReadonlyRootfs: store !== 'rabbitmq',
      });
      for (const name of networks) {
        const { stdout } = await run('docker', ['network', 'inspect', '--format', '{{.Internal}}', name]);
        expect(`${store} ${name} ${stdout.trim()}`).toBe(`${store} ${name} true`);
      }
    }
    const memory = await compose(
      ...['exec', '--no-TTY', 'redis', 'sh', '-c'],
      'REDISCLI_AUTH="$(cat /keys/redis/password)" redis-cli config get maxmemory',
    );
    expect(memory.trim().split('\n').at(-1)).toBe(String(0.75 * 512 * 1024 ** 2));
  });

  test('says what comes next, and warns of what is missing (55.14)', async () => {
    const nextSteps = async (settings: NodeJS.ProcessEnv) => {
      const { stdout } = await run('sh', ['infra/docker/next-steps.sh'], {
        cwd: root,
        env: { ...env, COMPOSE_PROJECT_NAME: project, ...settings },
      });
      return stdout;
    };
    const plain = await nextSteps({});
    expect(plain).toContain('docker compose run --rm admin grant <username>');
    expect(plain.match(/^Warning: .{20}/gm)).toEqual([
      'Warning: mails, as those for ',
      'Warning: this is plain HTTP, ',
      'Warning: it is reachable by e',
    ]);
    const complete = await nextSteps({
      ...{ SMTP_URL: 'smtp://mail.example', PUBLIC_URL: 'https://wayquest.example', BIND: '127.0.0.1' },
    });
    expect(complete).not.toContain('Warning');
    expect(complete).toContain('Sign up there');
    for (const REGISTRATION of ['invitation', 'closed'])
      expect(await nextSteps({ REGISTRATION })).toContain('admin create-account <username>');
  });

  test('responds to monitors whether every service is ready (55.8)', async () => {
    const health = async () => {
      const response = await fetch(`${url}/healthz`);
      return [response.status, await response.json()];
    };
    expect(await health()).toEqual([200, { ready: true }]);
    await compose('stop', 'places');
    await eventually(
      async () => expect(await health()).toEqual([503, { ready: false, notReady: ['places'] }]),
      {
        withinMs: 30_000,
      },
    );
    await compose('start', 'places');
    await eventually(async () => expect(await health()).toEqual([200, { ready: true }]), {
      withinMs: 60_000,
    });
  });

  test('sends calls to a new instance, too', async () => {
    const { client } = await logIn('walker');
    await compose(
      'up',
      '--detach',
      '--wait',
      '--no-recreate',
      '--scale',
      'users=2',
      '--scale',
      'realtime=3',
      '--scale',
      'chat=2',
    );
    const respondingInstances = async () => {
      for (let call = 0; call < 20; call++) await client.getMe();
      const lines = await compose('logs', '--no-color', '--since', '60s', 'users');
      return new Set(
        [...lines.matchAll(/(users-\d+) .*"operation":"GET \/auth\/me"/g)].map(([, name]) => name),
      );
    };
    await eventually(async () => expect((await respondingInstances()).size).toBe(2), {
      withinMs: 60_000,
      // Twenty calls each time, since rate limits apply here.
      everyMs: 1_000,
    });
  });

  test('keeps its data when the containers are replaced, and gets new passwords of all stores', async () => {
    const { client } = await logIn('walker');
    const currentPassword = 'correct horse battery staple';
    await client.changeEmail({ body: { email: 'walker@wayquest.example', currentPassword } });
    const mails = () => compose('exec', '--no-TTY', 'auth', 'sh', '-c', 'cat /data/mail/*');
    await eventually(async () => expect(await mails()).toContain('To: walker@wayquest.example'));
    const secret = (file: string) => compose('exec', '--no-TTY', 'chat', 'cat', `/keys/stores/${file}`);
    const secrets = () => Promise.all(['mongo-url', 'amqp-url', 'redis-url'].map(secret));
    const former = await secrets();
    await compose('run', '--rm', '--no-TTY', 'keys', 'node', 'infra/docker/make-keys.mjs', '--new-passwords');
    await compose('stop', '--timeout', '15');
    await compose('rm', '--force');
    await compose('up', '--detach', '--wait');
    for (const address of await secrets()) expect(former).not.toContain(address);
    const walker = await logIn('walker');
    expect(await walker.client.getMe()).toMatchObject({ points: 30 });
    expect(await mails()).toContain('To: walker@wayquest.example');
  }, 180_000);

  test('goes back to a backup by the commands of the operations page, after an interrupted start', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'wayquest-compose-backup-'));
    // Of nobody whom the container knows.
    if (process.getuid?.() === 0) await chown(folder, 1_001, 1_001);
    const admin = (volume: string, ...command: string[]) =>
      compose(
        ...['run', '--rm', '--no-TTY', '--user', '0', '--cap-add', 'DAC_OVERRIDE'],
        ...['--volume', volume, 'admin', ...command],
      );
    await compose('stop', 'gateway');
    expect(await admin(`${folder}:/backup`, 'backup', '/backup/today')).toMatch(/^\d+ documents are in /);
    await compose('start', 'gateway');
    await compose('up', '--detach', '--wait', 'gateway');
    await eventually(() => signUp('late-comer'), { withinMs: 60_000, everyMs: 1_000 });

    const half = '/keys/services/chat/redis-url.new';
    await compose(
      ...['run', '--rm', '--no-TTY', 'keys', 'sh', '-c', `echo half > ${half} && chmod 400 ${half}`],
    );
    await compose('down', '--timeout', '15');
    await compose('up', '--detach', '--wait', 'mongo');
    expect(await admin(`${folder}:/backup:ro`, 'restore', '/backup/today', '--replace')).toMatch(
      /documents are as they were at .*Wayquest can be started/,
    );
    await compose('up', '--detach', '--wait');
    const walker = await eventually(() => logIn('walker'), { withinMs: 60_000, everyMs: 1_000 });
    expect(await walker.client.getMe()).toMatchObject({ points: 30 });
    await expect(logIn('late-comer')).rejects.toMatchObject({ problem: { code: 'invalid-credentials' } });
    await rm(folder, { recursive: true });
  }, 300_000);
});
