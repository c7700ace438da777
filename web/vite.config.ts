import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compress, water } from './build/assets.ts';
import { clientOperations } from './build/client-operations.ts';
import { drawings } from './build/drawings.ts';
import { libraries } from './build/libraries.ts';
import { prerender } from './build/prerender.ts';
import { siteName } from './build/site-name.ts';
import { worker } from './build/worker.ts';

const gateway = `http://localhost:${process.env.WAYQUEST_PORT ?? 8080}`;

/** What the package exports is the build with warnings for developers, also in production. */
const reactRouter = join(
  dirname(createRequire(import.meta.url).resolve('react-router/package.json')),
  'dist/production/index.mjs',
);

export default defineConfig(({ mode }) => ({
  plugins: [
    react(),
    clientOperations(),
    drawings(),
    libraries(),
    compress(),
    prerender(),
    worker(),
    water(),
    siteName(),
  ],
  worker: { format: 'es', plugins: () => [water()] },
  resolve: {
    conditions: ['@wayquest/source', 'module', 'browser', 'development|production'],
    alias: mode === 'production' ? [{ find: /^react-router$/, replacement: reactRouter }] : [],
  },
  /** The gateway replaces this text by a new nonce in every response. */
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    manifest: true,
    assetsInlineLimit: 0,
    // Browsers without support for preloading modules load them slightly later.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // One file compresses better than its parts, and every page needs all of it.
        codeSplitting: {
          groups: [
            {
              name: 'framework',
              test: /node_modules\/(react|react-dom|scheduler|react-redux|redux|@reduxjs|redux-saga|@redux-saga|immer|reselect|react-router|react-router-dom)\//,
            },
            {
              name: 'common',
              test: /polymorphic-factory|get-size|noop|web\/src\/(entities\/auth\/slice|shared\/(saga\/(request|reducer|feature-sagas)|lib\/(errors|request-status)|notice|ui\/(Page|ErrorBoundary|Pending|use-is-near-viewport)\.|i18n\/(catalogue|common|en\/common)))/,
            },
            // What all members load, and no visitor does.
            {
              name: 'members',
              includeDependenciesRecursively: false,
              test: /Icon(Flag|User)\.mjs|web\/src\/(entities\/(conversations\/slice|friends\/translations)|shared\/(ui\/CountBadge|lib\/(data-urls|pictures)|i18n\/en\/(people|account|picture|profile))|features\/(account\/(slice|translations)|messenger\/(thread|threads-slice|drafts-slice|preferences-slice)|notifications\/push-storage|profile\/(slice|translations)))\./,
            },
            // What all pages with challenges load.
            {
              name: 'challenges',
              includeDependenciesRecursively: false,
              test: /web\/src\/(entities\/(challenges\/(slice|translations)|participations\/slice)|shared\/(lib\/days|i18n\/en\/challenge))\./,
            },
            {
              name: 'resources',
              test: /web\/src\/shared\/(saga\/(resource|page-of)|lib\/use-(resource|mutation))/,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/api': gateway,
      '/auth': gateway,
      '/public': gateway,
      '/socket.io': { target: gateway, ws: true },
    },
  },
}));
