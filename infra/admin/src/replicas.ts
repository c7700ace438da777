import type { ServiceName } from '@wayquest/contracts';
import { requestReplicaRebuild } from '@wayquest/platform/service';
import { connectMongo } from '@wayquest/platform/store';
import { createLogger } from '@wayquest/platform/telemetry';
import { type AdminSettings, say } from './command.ts';
import { onStore } from './store.ts';

/** Requests snapshots of all other services for a service's replicas. */
export async function rebuildReplicas(settings: AdminSettings, service: ServiceName): Promise<void> {
  await onStore(settings, async (url) => {
    const logger = createLogger({ name: 'admin', level: 'silent' });
    const database = `${settings.INSTALLATION}_${service}`;
    const connection = await connectMongo({ url, database, logger });
    try {
      await requestReplicaRebuild(connection, service);
    } finally {
      await connection.close();
    }
  });
  say(`The other services are asked to tell ${service} again what they know.`);
}
