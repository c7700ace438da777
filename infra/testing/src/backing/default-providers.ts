import type { BackingService, FindOptions, Provider } from './backing-service.ts';
import { dockerAnswers } from './containers.ts';
import { canInstall, install } from './debian.ts';

interface DefaultProviders {
  /** The environment variable with the address of an external service, which tests do not stop. */
  variable?: string;
  container?: { image: string; start(): Promise<BackingService> };
  program: { find(): string | undefined; start(command: string): Promise<BackingService> };
  debianPackage?: string;
}

/**
 * The environment variable, otherwise a container if Docker responds, otherwise the program in PATH, otherwise Debian's
 * package.
 */
export async function defaultProviders(
  { variable, container, program, debianPackage }: DefaultProviders,
  { mayInstall }: FindOptions,
): Promise<Provider[]> {
  const providers: Provider[] = [];
  const address = variable && process.env[variable];
  if (address) {
    providers.push({
      how: variable,
      isBorrowed: true,
      start: async () => ({ address, stop: async () => {} }),
    });
  }
  if (container && (await dockerAnswers())) {
    providers.push({ how: `a container of ${container.image}`, start: container.start });
  }
  const command = program.find();
  if (command) providers.push({ how: command, start: () => program.start(command) });
  else if (debianPackage && mayInstall && canInstall()) {
    providers.push({
      how: `${debianPackage} by apt-get`,
      async start() {
        await install(debianPackage);
        return program.start(program.find() ?? debianPackage);
      },
    });
  }
  return providers;
}
