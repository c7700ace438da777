import { createClient } from '@wayquest/contracts';
import { createUserReplica } from '@wayquest/platform/replicas';
import { createService, defineService, type Service, type ServiceDeps } from '@wayquest/platform/service';
import { callHeaders } from '@wayquest/platform/telemetry';
import { createChallengeReplica } from './challenge-replica.ts';
import { consumers } from './consumers.ts';
import { createParticipation } from './participation.ts';
import { routes } from './routes.ts';
import { settings } from './settings.ts';

export interface ParticipationDeps extends ServiceDeps {
  /** Where the challenges service answers, asked only for a challenge whose event is not here yet. */
  challengesUrl: () => string;
}

/** The whole participation service as a value. */
export const createParticipationService = (deps: ParticipationDeps): Service =>
  createService('participation', deps, (kit) => {
    const challengesClient = createClient({
      baseUrl: deps.challengesUrl,
      headers: callHeaders,
      timeoutMs: 3_000,
    });
    const challengeReplica = createChallengeReplica(kit, challengesClient);
    const userReplica = createUserReplica(kit.connection);
    const participation = createParticipation({ kit, challengeReplica, userReplica });
    return {
      routes: (http) => routes(http, participation),
      consumers: consumers({ participation, challengeReplica, userReplica }),
      retell: participation.retell,
      forget: { challenges: challengeReplica.forget, users: userReplica.forget },
    };
  });

/** As it is run, alone or with the others. */
export const participationService = defineService({
  name: 'participation',
  settings,
  asks: ['challenges'],
  fromSettings: (_settings, { urlOf, ...given }) =>
    createParticipationService({ ...given, challengesUrl: () => urlOf('challenges') }),
});
