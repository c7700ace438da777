import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { watchCertificate } from '@wayquest/gateway';
import { metrics } from '@wayquest/platform/telemetry';
import { afterTest, createRecordingLogger, describeWith, eventually, useShared } from '@wayquest/testing';
import { freePort, startProgram } from '@wayquest/testing/backing-services';

const configuration = resolve(import.meta.dirname, '../Caddyfile');

(await describeWith('caddy'))('the proxy for https (55.8)', () => {
  let upstream: Server;
  let program: Awaited<ReturnType<typeof startProgram>>;
  let ports: { http: number; https: number };
  let certificate: Buffer;

  beforeAll(async () => {
    // In place of the gateway: responds with what it got, and accepts WebSockets.
    upstream = createServer(({ url, headers }, response) => response.end(JSON.stringify({ url, headers })));
    upstream.on('upgrade', ({ headers }, socket) => {
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: ${headers.upgrade}\r\nConnection: Upgrade\r\n\r\n`,
      );
      socket.pipe(socket);
    });
    upstream.listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    ports = { http: await freePort(), https: await freePort() };
    let folder = '';
    program = await startProgram({
      command: await useShared('caddy'),
      args: () => ['run', '--config', configuration, '--adapter', 'caddyfile'],
      prepare: async (own) => {
        folder = own;
      },
      env: (own) => ({
        HOME: own,
        XDG_DATA_HOME: own,
        XDG_CONFIG_HOME: own,
        TLS_HTTP_PORT: String(ports.http),
        TLS_HTTPS_PORT: String(ports.https),
        TLS_UPSTREAM: `127.0.0.1:${(upstream.address() as AddressInfo).port}`,
      }),
      port: ports.https,
    });
    const file = join(folder, 'caddy/pki/authorities/local/root.crt');
    await eventually(async () => {
      certificate = await readFile(file);
    });
  }, 60_000);
  afterAll(async () => {
    await program?.stop();
    upstream?.closeAllConnections();
    upstream?.close();
  });

  const send = (path: string, headers: Record<string, string> = {}) =>
    request({ host: 'localhost', port: ports.https, path, headers, ca: certificate, agent: false });

  it('passes calls to the gateway, with the client’s address and https, whatever the client says', async () => {
    const sent = send('/api/leaderboard?page=2', {
      ...{ 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'http', authorization: 'Bearer token' },
    });
    sent.end();
    const [response] = await once(sent, 'response');
    const { url, headers } = JSON.parse(Buffer.concat(await response.toArray()).toString());
    expect(url).toBe('/api/leaderboard?page=2');
    expect(headers).toMatchObject({
      host: `localhost:${ports.https}`,
      'x-forwarded-for': expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
      'x-forwarded-proto': 'https',
      authorization: 'Bearer token',
    });
  });

  it('passes WebSockets', async () => {
    const sent = send('/socket.io/', {
      ...{ connection: 'Upgrade', upgrade: 'websocket' },
      ...{ 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' },
    });
    sent.end();
    const [response, socket] = await once(sent, 'upgrade');
    expect(response.statusCode).toBe(101);
    socket.write('hello');
    expect(String((await once(socket, 'data'))[0])).toBe('hello');
    socket.destroy();
  });

  it('lets the gateway tell Prometheus until when its certificate is valid (55.12)', async () => {
    const { logger, hasLogged } = createRecordingLogger();
    const startedAt = Date.now() / 1_000;
    const expiries = async () => (await metrics.certificateExpiry.get()).values;
    const task = watchCertificate(`https://localhost:${ports.https}`, logger);
    afterTest(() => task.stop());
    await eventually(async () => expect(await expiries()).toHaveLength(1));
    const [{ labels, value } = { labels: {}, value: 0 }] = await expiries();
    expect(labels).toEqual({ host: `localhost:${ports.https}` });
    expect(value).toBeGreaterThan(startedAt);

    // Nothing speaks TLS there.
    const other = watchCertificate(`https://localhost:${ports.http}`, logger);
    afterTest(() => other.stop());
    await eventually(async () => expect(await expiries()).toEqual([]));
    expect(hasLogged('cannot be read from here')).toBe(true);
  });

  it('leads from http to https', async () => {
    const response = await fetch(`http://localhost:${ports.http}/challenges/7`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([
      308,
      'https://localhost/challenges/7',
    ]);
  });
});
