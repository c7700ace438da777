/// <reference path="./driver-parts.d.ts" />
import { ConnectionPool } from 'mongodb/lib/cmap/connection_pool.js';

const { ensureMinPoolSize } = ConnectionPool.prototype;

/**
 * The driver checks every pool ten times a second: whether it has fewer connections than its minimum, or some that were
 * idle for too long. Ours have neither limit unless their URL sets one, and a connection that was closed is noticed when
 * it is about to be used.
 */
ConnectionPool.prototype.ensureMinPoolSize = function (this: ConnectionPool): void {
  const { minPoolSize, maxIdleTimeMS } = this.options;
  if (minPoolSize > 0 || maxIdleTimeMS > 0) ensureMinPoolSize.call(this);
};
