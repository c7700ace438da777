import { join } from 'node:path';
import { openApiDocument } from '@wayquest/contracts/openapi';
import { type RequestHandler, Router } from 'express';
import swaggerFolder from 'swagger-ui-dist/absolute-path.js';

const ownFiles = join(import.meta.dirname, '../docs');
const swaggerFiles = swaggerFolder();

const file =
  (directory: string, name: string): RequestHandler =>
  (_request, response) => {
    response.sendFile(name, {
      root: directory,
      cacheControl: false,
      headers: { 'cache-control': 'no-cache' },
    });
  };

/** The API documentation for people (/api/docs), and as an OpenAPI document (/api/openapi.json). */
export function serveDocs(): RequestHandler {
  // Created on first use: it takes a third of a second.
  let document: ReturnType<typeof openApiDocument> | undefined;
  const router = Router();
  router.get('/api/openapi.json', (_request, response) => {
    document ??= openApiDocument();
    response.set('cache-control', 'no-cache').json(document);
  });
  router.get('/api/docs', file(ownFiles, 'index.html'));
  router.get('/api/docs/init.js', file(ownFiles, 'init.js'));
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    router.get(`/api/docs/${name}`, file(swaggerFiles, name));
  }
  return router;
}
