import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  leaderboardPageSize,
  type OperationRequest,
  type Operations,
  operations,
  operationUrl,
} from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';
import {
  type Exchange,
  type HttpApp,
  nextLink,
  nextPageLink,
  ResponseWithHeaders,
} from '@wayquest/platform/http';
import type { BlockReplica } from '@wayquest/platform/replicas';
import type { ArchiveFile, Archives } from './archives.ts';
import type { Leaderboard } from './leaderboard.ts';
import type { Pictures } from './pictures.ts';
import { cursorAfter, defaultPageSize } from './point-reviews.ts';
import type { Points } from './points.ts';
import type { Profiles } from './profiles.ts';
import { defaultLimit, type UserSearch } from './user-search.ts';

export interface UsersOperations {
  profiles: Profiles;
  userSearch: UserSearch;
  pictures: Pictures;
  points: Points;
  leaderboard: Leaderboard;
  blocks: BlockReplica;
  archives: Archives;
}

/**
 * The cursor of the next page: after the last row, or a page number if that row is hidden or ranked by check-ins, which are
 * private.
 */
function nextPageHeaders(
  { scope, period }: OperationRequest<Operations['getLeaderboard']>['query'],
  { positions, rows, page, pages }: Awaited<ReturnType<Leaderboard['page']>>,
): Record<string, string> {
  const operation = operations.getLeaderboard;
  const last = positions.at(-1);
  if (rows.at(-1)?.id !== last?.userId || last?.checkedIn)
    return page < pages
      ? nextLink(operationUrl(operation, { query: { scope, period, page: page + 1 } }))
      : {};
  const request = { operation, query: { scope, period }, limit: leaderboardPageSize };
  return nextPageLink(positions, request, ({ points, userId }) => `${points}:${userId}`);
}

/** Sends an archive, or the part of it with which a browser continues (RFC 9110, section 14). */
async function sendArchive(
  { name, size, tag, read }: ArchiveFile,
  { request, response }: Exchange,
): Promise<void> {
  const etag = `"${tag}"`;
  const ifRange = request.get('if-range');
  const isSame = ifRange === undefined || ifRange === etag;
  const ranges = request.method === 'GET' && isSame ? request.range(size) : undefined;
  if (ranges === -1) {
    response.set('content-range', `bytes */${size}`);
    throw new Problem('range-not-satisfiable');
  }
  // A header that is malformed, or names another unit or several ranges, may be ignored; browsers send none of these.
  const range =
    typeof ranges === 'object' && ranges.type === 'bytes' && ranges.length === 1 ? ranges[0] : undefined;
  const { start, end } = range ?? { start: 0, end: size - 1 };
  if (range) response.status(206).set('content-range', `bytes ${start}-${end}/${size}`);
  response.set({
    'accept-ranges': 'bytes',
    'cache-control': 'no-store',
    'content-type': operations.downloadArchive.file,
    'content-length': String(end + 1 - start),
    'content-disposition': `attachment; filename="${name}"`,
    etag,
  });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  await pipeline(Readable.from(read(start, end)), response).catch((error: NodeJS.ErrnoException) => {
    // The browser paused the download, or lost its connection, and may continue later.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}

export function routes(
  http: HttpApp,
  { profiles, userSearch, pictures, points, leaderboard, blocks, archives }: UsersOperations,
): void {
  http.serve(operations.getMe, async ({ caller }) => profiles.me(caller));
  http.serve(operations.updateMe, async ({ body, caller }) => profiles.update(body, caller));
  http.serve(operations.getPrivacy, async ({ caller }) => profiles.privacy(caller));
  http.serve(operations.updatePrivacy, async ({ body, caller }) => profiles.updatePrivacy(body, caller));
  http.serve(operations.updatePicture, async ({ body, caller }) => {
    if (!(body instanceof Uint8Array)) throw new Problem('unsupported-image');
    return pictures.upload(body, caller);
  });
  http.serve(operations.listUsers, async ({ query, caller }) => {
    const users = await userSearch.list(query, caller);
    if (query.suggested) return users;
    const { limit = defaultLimit } = query;
    return new ResponseWithHeaders(users, {
      headers: nextPageLink(users, { operation: operations.listUsers, query, limit }, ({ id }) => id),
    });
  });
  http.serve(operations.getUser, async ({ params, caller }) => profiles.get(params.id, caller));
  http.serve(operations.awardPoints, async ({ body, caller }) => points.claim(body.challengeId, caller));
  http.serve(operations.listFlaggedAwards, async ({ query }) => {
    const found = await points.listFlagged(query);
    const page = { operation: operations.listFlaggedAwards, query, limit: query.limit ?? defaultPageSize };
    return new ResponseWithHeaders(found, { headers: nextPageLink(found, page, cursorAfter) });
  });
  http.serve(operations.approveAward, async ({ params, caller }) => {
    await points.approve(params, caller);
    return undefined;
  });
  http.serve(operations.revokeAward, async ({ params, body, caller }) => {
    await points.revoke(params, body.reason, caller);
    return undefined;
  });
  http.serve(operations.getLeaderboard, async ({ query, caller }) => {
    const found = await leaderboard.page(query, caller);
    const { positions: _, ...page } = found;
    const hidden = await blocks.hiddenFrom(caller?.id);
    const shown = page.rows.filter(({ id }) => !hidden.has(id));
    const podium = page.podium.filter(({ id }) => !hidden.has(id));
    return new ResponseWithHeaders(
      { ...page, podium, rows: shown },
      { headers: nextPageHeaders(query, { ...found, rows: shown }) },
    );
  });
  http.serve(operations.getArchive, ({ caller }) => archives.of(caller.id));
  http.serve(operations.makeArchive, ({ caller, idempotency }) => archives.start(caller, idempotency));
  http.serveNavigation(operations.downloadArchive, async ({ caller }, exchange) =>
    sendArchive(await archives.openFile(caller.id), exchange),
  );
  http.serve(operations.makeArchiveAddress, ({ caller }) => archives.makeAddress(caller.id));
  http.serveNavigation(operations.downloadArchiveByAddress, async ({ params, query }, exchange) =>
    sendArchive(await archives.openAddress(params.id, query.key), exchange),
  );
  http.serveNavigation(operations.getProfilePicture, async ({ params }, { response }) => {
    const { type, data } = await pictures.find(params.file);
    response.set({ 'cache-control': 'public, max-age=31536000, immutable', 'content-type': type }).send(data);
  });
}
