/// <reference path="./undici-parts.d.ts" />
import type { Pool as UndiciPool } from 'undici';
// The package as a whole makes its own dispatcher that of the process when it is loaded. Node's `fetch`, which is another
// version of the same code, then refuses headers that it takes otherwise. These parts leave the process as it is.
import api from 'undici/lib/api/index.js';
import pool from 'undici/lib/dispatcher/pool.js';

// As the package does when it is loaded: a pool by itself only dispatches.
Object.assign(pool.prototype, api);

/** Connections to one service. */
export const Pool: typeof UndiciPool = pool;
export type Pool = UndiciPool;
