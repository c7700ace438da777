import { type ChallengeDetails, operations } from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';
import { type HttpApp, nextPageLink, ResponseWithHeaders } from '@wayquest/platform/http';
import type { ChallengeReplica } from '@wayquest/platform/replicas';
import type { Completions } from './completions.ts';
import { type ChallengeLog, cursorAfter as cursorAfterEntry, defaultPageSize } from './log.ts';
import { defaultLimit, type ParticipationLists } from './participation-lists.ts';
import type { Participations } from './participations.ts';
import type { ChallengePictures } from './pictures.ts';
import {
  cursorAfter,
  defaultStamps,
  hiddenTrailBook,
  type TrailBooks,
  type TrailMaps,
} from './trail-book.ts';

/** A participation belongs to the user who joined. */
const ownersOf = ({ userId }: { userId: number }): number[] => [userId];

interface RouteDeps {
  participations: Participations;
  completions: Completions;
  lists: ParticipationLists;
  log: ChallengeLog;
  pictures: ChallengePictures;
  challengeReplica: ChallengeReplica;
  trailBooks: TrailBooks;
  trailMaps: TrailMaps;
}

export function routes(
  http: HttpApp,
  { participations, completions, lists, log, pictures, challengeReplica, trailBooks, trailMaps }: RouteDeps,
): void {
  http.serve(operations.listParticipations, async ({ query, caller }) => {
    const listed = await lists.list(query, caller);
    const { limit = defaultLimit } = query;
    return new ResponseWithHeaders(listed, {
      headers: nextPageLink(
        listed,
        { operation: operations.listParticipations, query, limit },
        ({ id }) => id,
      ),
    });
  });
  http.serve(operations.listCompletions, async ({ query, caller }) => lists.latestOf(query, caller));
  http.serve(operations.getTrailBook, async ({ params, query, caller }) => {
    if (!(await lists.isShown(params.id, caller))) return new ResponseWithHeaders(hiddenTrailBook);
    const book = await trailBooks.of(params.id, query, caller.id);
    const { limit = defaultStamps } = query;
    const page = { operation: operations.getTrailBook, params, query, limit };
    return new ResponseWithHeaders(book, { headers: nextPageLink(book.stamps, page, cursorAfter) });
  });
  http.serveOwned(operations.showTrailMap, {
    find: async ({ params }) => params.id,
    owners: (userId) => [userId],
    handle: async ({ body }, userId) => trailMaps.setVisibility(userId, body.visibility),
  });
  http.serve(operations.joinChallenge, async ({ body, caller }) => {
    const { participation, isNew } = await participations.join(body.challengeId, caller);
    return new ResponseWithHeaders(participation, { status: isNew ? 201 : 200 });
  });
  http.serveOwned(operations.updateParticipation, {
    find: async ({ params }) => participations.find(params.id),
    owners: ownersOf,
    handle: async ({ body }, found) => completions.setCompleted(found, body),
  });
  http.serveOwned(operations.leaveChallenge, {
    find: async ({ params }) => participations.find(params.id),
    owners: ownersOf,
    async handle({ caller }, found) {
      await participations.leave(found, caller);
      return undefined;
    },
  });
  http.serve(operations.listLog, async ({ params, query, caller }) => {
    const entries = await log.list(params.id, query, caller);
    const page = { operation: operations.listLog, params, query, limit: query.limit ?? defaultPageSize };
    return new ResponseWithHeaders(entries, { headers: nextPageLink(entries, page, cursorAfterEntry) });
  });
  // Before the single entry, whose path would match too.
  http.serve(operations.listFriendsLog, async ({ query, caller }) => log.friends(query, caller));
  http.serve(operations.thank, async ({ params, caller }) => log.thank(params.id, caller));
  http.serve(operations.withdrawThanks, async ({ params, caller }) => log.withdrawThanks(params.id, caller));
  http.serve(operations.getLogEntry, async ({ params, caller }) => log.get(params.id, caller));
  http.serveOwned(operations.updateNote, {
    find: async ({ params }) => participations.find(params.id),
    owners: ownersOf,
    handle: async ({ body, caller }, found) => log.updateNote(found, body.note, caller),
  });
  http.serveOwned(operations.updatePhoto, {
    find: async ({ params }) => participations.find(params.id),
    owners: ownersOf,
    async handle({ body, caller }, found) {
      if (!(body instanceof Uint8Array)) throw new Problem('unsupported-image');
      return log.updatePhoto(found, body, caller);
    },
  });
  http.serveOwned(operations.removePhoto, {
    find: async ({ params }) => participations.find(params.id),
    owners: ownersOf,
    handle: async ({ caller }, found) => log.removePhoto(found, caller),
  });
  http.serveNavigation(operations.getPhoto, async ({ params, query, caller }, { response }) => {
    const data = await log.photoOf(params.id, params.photo, caller, query.size);
    response
      .set({
        // Only cached for this reader: another may not see it.
        'cache-control': 'private, max-age=31536000, immutable',
        vary: 'authorization',
        'content-type': operations.getPhoto.file,
      })
      .send(data);
  });
  const ofChallenge = {
    find: ({ params }: { params: { id: number } }) => challengeReplica.find(params.id),
    owners: ({ creator }: ChallengeDetails) => [creator.id],
  };
  http.serveOwned(operations.getChosenPicture, {
    ...ofChallenge,
    handle: ({ params }) => pictures.chosen(params.id),
  });
  http.serveOwned(operations.choosePicture, {
    ...ofChallenge,
    handle: ({ params, body }) => pictures.choose(params.id, body.choice),
  });
  http.serveNavigation(operations.getChallengePicture, async ({ params, query }, { response }) => {
    const data = await pictures.dataOf(params.id, params.photo, query.size ?? 'full');
    // Caches forget a photo that was hidden or deleted within the hour.
    response.set({ 'cache-control': 'public, max-age=3600', 'content-type': 'image/webp' }).send(data);
  });
  http.serveNavigation(operations.getOwnPhoto, async ({ params, caller }, { response }) => {
    const data = await log.photoOf(params.id, params.photo, caller);
    response.set({ 'cache-control': 'no-store', 'content-type': operations.getOwnPhoto.file }).send(data);
  });
}
