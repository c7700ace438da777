import { type HttpServiceName, type Operation, operations } from '@wayquest/contracts';

/** An operation for the gateway: its label in metrics, and its service. */
export interface Route {
  label: string;
  operation: Operation;
  service: HttpServiceName;
}

export interface RouteTable {
  /** Returns the route of a call; undefined if it is not in the table. A trailing slash makes no difference. */
  find(method: string, path: string): Route | undefined;
  /**
   * The methods of operations at a path, for the `Allow` header (RFC 9110, section 10.2.1); empty without an operation.
   */
  methodsAt(path: string): string[];
  /** Whether a path is reserved for operations, so that nothing else may serve it. */
  reserves(path: string): boolean;
}

const withoutSlash = (path: string) => (path.endsWith('/') ? path.slice(0, -1) : path);

/** Creates the table of routes to services from the contracts' operations. */
export function createRouteTable(table: Record<string, Operation> = operations): RouteTable {
  const exact = new Map<string, Route>();
  const patterns: { method: string; pattern: RegExp; route: Route }[] = [];
  const methods: { method: string; pattern: RegExp }[] = [];
  const reserved = new Set<string>();
  for (const operation of Object.values(table)) {
    const { method, service, internal } = operation;
    const path = withoutSlash(operation.path);
    reserved.add(path.split('/')[1] ?? '');
    // Clients get what they get at any other path that does not exist.
    if (internal) continue;
    const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
    methods.push({ method, pattern });
    if (service === 'gateway') continue;
    const route = { label: `${method} ${operation.path}`, operation, service };
    if (path.includes('{')) {
      patterns.push({ method, pattern, route });
    } else {
      exact.set(`${method} ${path}`, route);
    }
  }
  return {
    find(method, requestPath) {
      const path = withoutSlash(requestPath);
      // A route for GET serves HEAD, too (RFC 9110, section 9.3.2).
      const routedMethod = method === 'HEAD' ? 'GET' : method;
      return (
        exact.get(`${routedMethod} ${path}`) ??
        patterns.find((entry) => entry.method === routedMethod && entry.pattern.test(path))?.route
      );
    },
    methodsAt(requestPath) {
      const path = withoutSlash(requestPath);
      const found = methods.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
      return [...new Set(found.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))];
    },
    reserves: (path) => reserved.has((path.split('/')[1] ?? '').toLowerCase()),
  };
}
