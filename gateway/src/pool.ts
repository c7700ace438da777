/// <reference path="./undici-parts.d.ts" />
import type { Pool as UndiciPool } from 'undici';
// Importing the whole package would replace the process's global dispatcher by its own. Node's `fetch`, a different
// version of the same code, then rejects headers that it would accept. These modules do not change the process.
import api from 'undici/lib/api/index.js';
import pool from 'undici/lib/dispatcher/pool.js';

// As the package does: the class alone only dispatches.
Object.assign(pool.prototype, api);

/** A pool of connections to one service. */
export const Pool: typeof UndiciPool = pool;
export type Pool = UndiciPool;
