import { operations } from '@wayquest/contracts';
import { type HttpApp, nextPageLink, Reply } from '@wayquest/platform';
import { defaultLimit, type ParticipationOperations } from './participation.ts';

export function routes(http: HttpApp, participation: ParticipationOperations): void {
  http.serve(operations.listLines, async ({ query, caller }) => {
    const lines = await participation.list(query, caller);
    const { limit = defaultLimit } = query;
    return new Reply(lines, {
      headers: nextPageLink(lines, { operation: operations.listLines, query, limit }, ({ id }) => id),
    });
  });
  http.serve(operations.joinChallenge, async ({ body, caller }) => {
    const { line, isNew } = await participation.join(body.challengeId, caller);
    return new Reply(line, { status: isNew ? 201 : 200 });
  });
  http.serve(operations.updateLine, async ({ params, body, caller }) =>
    participation.setCompleted(params.id, body.completed, caller),
  );
  http.serve(operations.leaveChallenge, async ({ params, caller }) => {
    await participation.leave(params.id, caller);
    return undefined;
  });
}
