import type { Position } from '@wayquest/contracts';
import type { ServiceParts } from '@wayquest/platform/service';
import type { ChallengeOperations } from './challenges.ts';
import type { TileCounts } from './tile-counts.ts';
import { finestTileAt } from './tiles.ts';

export const consumers = (
  challenges: ChallengeOperations,
  tileCounts: TileCounts,
): ServiceParts<'challenges'>['consumers'] => {
  const recountAt = async (position: Position | null | undefined) => {
    if (position) await tileCounts.recount(finestTileAt(position));
  };
  return {
    'challenge.created.v1': ({ data }) => recountAt(data.challenge.position),
    'challenge.updated.v1': ({ data }) => recountAt(data.challenge.position),
    'challenge.deleted.v1': ({ data }) => recountAt(data.position),
    'challenge.located.v1': ({ data }) => challenges.locate(data.challengeId, data.position),
    'challenge.town-found.v1': ({ data }) => challenges.applyTowns(data.challengeId, data.towns),
    'moderation.decided.v1': challenges.applyDecision,
    'challenge.joined.v1': challenges.applyJoined,
    'challenge.left.v1': challenges.applyLeft,
    'user.profile-changed.v1': challenges.renameCreator,
  };
};
