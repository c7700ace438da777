import type { ChallengeReplica, UserReplica } from '@wayquest/platform/replicas';
import type { ServiceParts } from '@wayquest/platform/service';
import type { AuditLog } from './audit.ts';
import type { Cases } from './cases.ts';
import { keepDecided } from './points.ts';
import type { Standing } from './standing.ts';

interface Reacting {
  users: UserReplica;
  challenges: ChallengeReplica;
  standing: Standing;
  cases: Cases;
  audit: AuditLog;
}

export const consumers = ({
  users,
  challenges,
  standing,
  cases,
  audit,
}: Reacting): ServiceParts<'moderation'>['consumers'] => ({
  'report.made.v1': ({ data }) => cases.recount(data.caseId),
  'appeal.made.v1': cases.keepAppeal,
  'points.decided.v1': keepDecided(audit),
  'user.registered.v1': standing.keep,
  'user.profile-changed.v1': users.keep,
  'challenge.created.v1': challenges.keep,
  'challenge.updated.v1': challenges.keep,
  'challenge.deleted.v1': async (event) => {
    await challenges.keepDeleted(event);
    await cases.keepDeleted(event.data.challengeId);
  },
});
