import { CallError, type Client, createClient, type HttpServiceName, operations } from '@wayquest/contracts';

export interface CallsOptions {
  baseUrl: () => string;
  /** Why a service cannot respond, if the test caused that: 'is paused'. */
  whyNot(service: HttpServiceName): string | undefined;
  /** Services of the network, to explain a call to another one. */
  services: readonly string[];
}

type AnyCall = (...given: never[]) => Promise<unknown>;

/** The typed client, whose errors name the service. */
export function createCalls({ baseUrl, whyNot, services }: CallsOptions) {
  const explained = (name: keyof typeof operations, call: AnyCall): AnyCall => {
    const { service, method, path } = operations[name];
    return async (...given) => {
      if (service !== 'gateway' && !services.includes(service))
        throw new Error(`${name} is for ${service}, which is not in this network (${services.join(', ')})`);
      try {
        return await call(...given);
      } catch (error) {
        if (error instanceof CallError && error.status >= 500) {
          const why = service === 'gateway' ? undefined : whyNot(service);
          const who = why ? `${service}, which ${why}` : service;
          const request = error.problem?.requestId;
          error.message += ` (${method} ${path} is for ${who}${request ? `; request ${request}` : ''})`;
        }
        throw error;
      }
    };
  };
  const isOperation = (name: string): name is keyof typeof operations => Object.hasOwn(operations, name);

  return (token?: string): Client => {
    const client = createClient({ baseUrl, token: () => token });
    for (const [name, call] of Object.entries(client))
      if (isOperation(name)) Object.assign(client, { [name]: explained(name, call) });
    return client;
  };
}
