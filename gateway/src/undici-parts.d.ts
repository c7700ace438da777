declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici';
  export default Pool;
}

declare module 'undici/lib/api/index.js' {
  import type { Pool } from 'undici';

  const api: Pick<Pool, 'request' | 'stream' | 'pipeline' | 'upgrade' | 'connect'>;
  export default api;
}
