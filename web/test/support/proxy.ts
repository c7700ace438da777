import { createServer, type ServerResponse, request as send } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

/** How a proxy treats what it is asked: it passes it on, answers for the server, or never answers. */
export type ProxyMode = 'pass' | 'silent' | { status: number; type: string; body: string };

/** A proxy between browsers and the site, as of a company or in front of a server that is away. */
export interface TestProxy {
  url: string;
  /** From now on; a path may be an exception. */
  answer(mode: ProxyMode, except?: (path: string) => boolean): void;
  close(): void;
}

/** The page that a proxy answers with in the place of a server. */
export const badGateway = {
  status: 502,
  type: 'text/html',
  body: '<html><head><title>502 Bad Gateway</title></head><body><center>nginx</center></body></html>',
} as const satisfies ProxyMode;

/** Starts a proxy to a site. `webSockets` says whether it lets them through: it refuses them with 400 otherwise. */
export async function startProxy(target: string, { webSockets = true } = {}): Promise<TestProxy> {
  const { hostname, port } = new URL(target);
  const silent = new Set<ServerResponse>();
  let mode: ProxyMode = 'pass';
  let passes = (_path: string) => false;
  const server = createServer((request, response) => {
    const now = passes(request.url ?? '') ? 'pass' : mode;
    if (now === 'silent') return void silent.add(response);
    if (now !== 'pass') {
      response.writeHead(now.status, { 'content-type': now.type }).end(now.body);
      return;
    }
    const { method, url: path, headers } = request;
    const onward = send({ hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    if (!webSockets || mode !== 'pass') {
      socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const onward = connect(Number(port), hostname, () => {
      const lines = request.rawHeaders.map((text, at) => (at % 2 ? `${text}\r\n` : `${text}: `)).join('');
      onward.write(`GET ${request.url} HTTP/1.1\r\n${lines}\r\n`);
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer(next, except = () => false) {
      mode = next;
      passes = except;
      if (next !== 'silent') for (const response of silent) response.destroy();
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
