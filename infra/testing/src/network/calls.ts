import { CallError, type Client, createClient, type HttpServiceName, operations } from '@wayquest/contracts';

export interface CallsOptions {
  baseUrl: () => string;
  /** Returns why a service cannot respond, if the test caused that: 'is paused'. */
  unavailableReason(service: HttpServiceName): string | undefined;
  /** Services of the network, to explain a call to another one. */
  services: readonly string[];
}

type AnyCall = (...args: never[]) => Promise<unknown>;

/** Creates typed clients whose errors name the service that failed. */
export function createCalls({ baseUrl, unavailableReason, services }: CallsOptions) {
  const withExplainedErrors = (name: keyof typeof operations, call: AnyCall): AnyCall => {
    const { service, method, path } = operations[name];
    return async (...args) => {
      if (service !== 'gateway' && !services.includes(service))
        throw new Error(`${name} is for ${service}, which is not in this network (${services.join(', ')})`);
      try {
        return await call(...args);
      } catch (error) {
        if (error instanceof CallError && error.status >= 500) {
          const reason = service === 'gateway' ? undefined : unavailableReason(service);
          const target = reason ? `${service}, which ${reason}` : service;
          const request = error.problem?.requestId;
          error.message += ` (${method} ${path} is for ${target}${request ? `; request ${request}` : ''})`;
        }
        throw error;
      }
    };
  };
  const isOperation = (name: string): name is keyof typeof operations => Object.hasOwn(operations, name);

  return (token?: string): Client => {
    const client = createClient({ baseUrl, token: () => token });
    for (const [name, call] of Object.entries(client))
      if (isOperation(name)) Object.assign(client, { [name]: withExplainedErrors(name, call) });
    return client;
  };
}
