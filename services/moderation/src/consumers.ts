import type { ChallengeReplica, UserReplica } from '@wayquest/platform/replicas';
import type { ServiceParts } from '@wayquest/platform/service';
import type { AuditLog } from './audit.ts';
import type { Cases } from './cases.ts';
import { recordPointsDecision } from './points.ts';
import type { ReporterTrust } from './reporter-trust.ts';

interface ConsumerDeps {
  users: UserReplica;
  challenges: ChallengeReplica;
  reporterTrust: ReporterTrust;
  cases: Cases;
  audit: AuditLog;
}

export const consumers = ({
  users,
  challenges,
  reporterTrust,
  cases,
  audit,
}: ConsumerDeps): ServiceParts<'moderation'>['consumers'] => ({
  'report.made.v1': ({ data }) => cases.recount(data.caseId),
  'appeal.made.v1': cases.applyAppeal,
  'points.decided.v1': recordPointsDecision(audit),
  'user.registered.v1': reporterTrust.apply,
  'user.profile-changed.v1': users.apply,
  'challenge.created.v1': challenges.apply,
  'challenge.updated.v1': challenges.apply,
  'challenge.deleted.v1': async (event) => {
    await challenges.applyDeleted(event);
    await cases.applyDeleted(event.data.challengeId);
  },
});
