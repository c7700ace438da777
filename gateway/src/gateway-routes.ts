import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { operations, type WebSettings } from '@wayquest/contracts';
import { openApiDocument } from '@wayquest/contracts/openapi';
import type { Clock } from '@wayquest/platform/async';
import { Problem, toContract } from '@wayquest/platform/core';
import { validate, writeProblem } from '@wayquest/platform/http';
import type { Site } from '@wayquest/platform/settings';
import { type Logger, requestIdHeader } from '@wayquest/platform/telemetry';
import express, { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import swaggerFolder from 'swagger-ui-dist/absolute-path.js';
import { isNavigation, writeErrorPage } from './error-page.ts';
import type { UnreadyServices } from './health.ts';
import { pageSecurity } from './security-headers.ts';
import type { SitePages } from './site-pages.ts';

const apiDocsFiles = join(import.meta.dirname, '../docs');
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
function serveDocs(): RequestHandler {
  // Created on first use: it takes a third of a second.
  let document: ReturnType<typeof openApiDocument> | undefined;
  const router = Router();
  router.get('/api/openapi.json', (_request, response) => {
    document ??= openApiDocument();
    response.set('cache-control', 'no-cache').json(document);
  });
  router.get('/api/docs', file(apiDocsFiles, 'index.html'));
  router.get('/api/docs/init.js', file(apiDocsFiles, 'init.js'));
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    router.get(`/api/docs/${name}`, file(swaggerFiles, name));
  }
  return router;
}

/** Served to operators on another port, and to nobody here: the web app's page would look like a success. */
const managementPaths = ['/readyz', '/idlez', '/metrics'];

/** Validity of security.txt from the response on, in milliseconds: less than a year (RFC 9116, section 2.5.5). */
const securityTextValidityMs = 180 * 24 * 3_600_000;

/** The contents of security.txt (RFC 9116). */
const securityText = (contact: string, now: number) =>
  `Contact: ${contact}\nExpires: ${new Date(now + securityTextValidityMs).toISOString()}\n`;

const asProblem = (error: unknown): Problem => {
  if (error instanceof Problem) return error;
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 404) return new Problem('not-found', { cause: error });
  return new Problem(typeof status === 'number' && status < 500 ? 'invalid-request' : 'internal-error', {
    cause: error,
  });
};

/** The routes that the gateway serves itself: its settings, its health, the API documentation and the web app. */
export function createGatewayRoutes({
  logger,
  settings,
  site,
  sitePages,
  shades,
  reserves,
  unreadyServices,
  securityContact,
  clock,
  webApp,
}: {
  logger: Logger;
  settings: WebSettings;
  site: Site;
  sitePages: SitePages;
  shades: string[] | undefined;
  /** Whether a path belongs to the API, so that the web app must not serve it. */
  reserves(path: string): boolean;
  unreadyServices: UnreadyServices;
  securityContact: string | undefined;
  clock: Clock;
  webApp: RequestHandler | undefined;
}): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(pageSecurity(settings));
  app.use(serveDocs());
  const publicSettings = toContract(operations.getSettings.response, settings);
  app.get(operations.getSettings.path, (_request, response) => {
    response.set('cache-control', 'no-cache').json(publicSettings);
  });
  app.get(operations.getSitePage.path.replace('{name}', ':name'), (request, response) => {
    const { params, query } = validate(operations.getSitePage, request);
    const page = sitePages.find(params.name, query.language ?? site.language);
    if (!page) throw new Problem('not-found');
    response.set('cache-control', 'no-cache').json(toContract(operations.getSitePage.response, page));
  });
  app.get('/healthz', async (_request, response) => {
    const notReady = await unreadyServices();
    response.status(notReady.length ? 503 : 200).set('cache-control', 'no-store');
    response.json(notReady.length ? { ready: false, notReady } : { ready: true });
  });
  if (securityContact !== undefined) {
    app.get('/.well-known/security.txt', (_request, response) => {
      response.set('cache-control', 'no-cache').type('text/plain');
      response.send(securityText(securityContact, clock.now()));
    });
  }
  app.use((request, _response, next) => {
    if (reserves(request.path) || managementPaths.includes(request.path)) throw new Problem('not-found');
    next();
  });
  if (webApp) app.use(webApp);
  app.use((request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.set('allow', 'GET, HEAD');
      throw new Problem('method-not-allowed');
    }
    throw new Problem('not-found');
  });
  const onError: ErrorRequestHandler = (error, request, response, _next) => {
    const problem = asProblem(error);
    if (problem.status >= 500) logger.error({ err: error, path: request.path }, 'a request failed');
    if (response.headersSent) response.destroy();
    else {
      const requestId = String(response.getHeader(requestIdHeader));
      if (isNavigation(request))
        writeErrorPage(request, response, { status: problem.status, requestId, site, shades });
      else writeProblem(response, problem, requestId);
    }
  };
  app.use(onError);
  return app;
}
