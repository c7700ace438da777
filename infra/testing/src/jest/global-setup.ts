import type { BackingKind, Way } from '../backing/backing-service.ts';
import { backingKinds, findBackingService } from '../backing/backing-services.ts';
import { generateKeys } from '../keys.ts';
import { type BackingServer, startBackingServer } from './backing-server.ts';

let server: BackingServer | undefined;

const say = (sentence: string) => process.stdout.write(`${sentence}\n`);

/** Says which backing services there are, and hands the address of their server to the test files. */
export default async function setup(): Promise<void> {
  const ways = await Promise.all(
    backingKinds.map(async (kind) => [kind, await findBackingService(kind)] as const),
  );
  say('Backing services, each started when the first suite needs it:');
  for (const [kind, [first]] of ways) {
    say(`  ${kind}: ${first?.how ?? 'none, so the suites that need it are skipped'}`);
  }
  server = await startBackingServer(Object.fromEntries(ways) as Record<BackingKind, Way[]>, say);
  process.env.WAYQUEST_TEST_BACKING_URL = server.url;
  const { privateKey, publicKey } = generateKeys();
  process.env.WAYQUEST_TEST_PRIVATE_KEY = privateKey;
  process.env.WAYQUEST_TEST_PUBLIC_KEY = publicKey;
}

export const closeBackingServer = async (): Promise<void> => server?.close();
