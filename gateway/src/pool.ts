/// <reference path="./undici-dispatcher-pool.d.ts" />
import type { Pool as UndiciPool } from 'undici';
// The package as a whole makes its own dispatcher that of the process when it is loaded. Node's `fetch`, which is another
// version of the same code, then refuses headers that it takes otherwise. The pool alone leaves the process as it is.
import pool from 'undici/lib/dispatcher/pool.js';

/** Connections to one service. */
export const Pool: typeof UndiciPool = pool;
export type Pool = UndiciPool;
