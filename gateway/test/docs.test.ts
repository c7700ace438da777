import { operations } from '@wayquest/contracts';
import { openApiDocument } from '@wayquest/contracts/openapi';
import { cleanUp, startGateway, unreachableUrl } from './support.ts';

afterEach(cleanUp);

it.each(['/api/docs', '/api/docs/'])(
  'shows the operations at %s without violating the content security policy',
  async (path) => {
    const gateway = await startGateway(unreachableUrl);
    const response = await fetch(gateway.url() + path);
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(response.headers.get('content-security-policy')).not.toContain('unsafe');
    const html = await response.text();
    const parts = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, address]) => address ?? '');
    expect(parts).toEqual([
      '/api/docs/swagger-ui.css',
      '/api/docs/swagger-ui-bundle.js',
      '/api/docs/init.js',
    ]);
    for (const part of parts) {
      const reply = await fetch(gateway.url() + part);
      expect([reply.status, reply.headers.get('content-type')]).toEqual([
        200,
        expect.stringMatching(part.endsWith('.css') ? /^text\/css/ : /^text\/javascript/),
      ]);
    }
    expect(html).not.toMatch(/<script>|<style|style=|onload=/);
  },
);

it('serves an OpenAPI document of every operation', async () => {
  const gateway = await startGateway(unreachableUrl);
  const document = await (await fetch(`${gateway.url()}/api/openapi.json`)).json();
  expect(document).toEqual(JSON.parse(JSON.stringify(openApiDocument())));
  expect(Object.keys(document.paths)).toContain(operations.getChallenge.path);
  // What a client does that does not know whether its call took effect.
  expect(document.info.description).toContain('Idempotency-Key');
});
