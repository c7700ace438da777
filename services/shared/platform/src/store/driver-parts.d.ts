declare module 'mongodb/lib/cmap/connection_pool.js' {
  export class ConnectionPool {
    readonly options: { minPoolSize: number; maxIdleTimeMS: number };
    ensureMinPoolSize(): void;
  }
}
