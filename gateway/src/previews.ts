import type { IncomingMessage } from 'node:http';
import {
  cutText,
  type HttpServiceName,
  isolated,
  type Operation,
  operations,
  sceneOf,
} from '@wayquest/contracts';
import type { z } from 'zod';
import type { ClientAddressOf } from './client-address.ts';
import { rateLimitKeyOf } from './rate-limit-key.ts';
import type { CountRequest } from './rate-limits.ts';
import type { Upstreams } from './upstreams.ts';

/** What readers that run no scripts are told of a page: link previews, search engines. */
export interface Preview {
  title: string;
  text: string;
  /** A path of our own; the usual picture if not said. */
  picture?: { path: string; isWide: boolean };
}

/** The preview of the page that is asked for; none where it has none of its own, or it could not be had in time. */
export type PreviewOf = (request: IncomingMessage, path: string) => Promise<Preview | undefined>;

/** A link that is passed around is looked at often, and what it shows changes seldom. */
const keptMs = 30_000;
const maxCached = 1_000;

const maxTextLength = 200;

const listed = (...parts: string[]) => parts.filter(Boolean).join(', ');

const ofChallenge = (challenge: z.output<typeof operations.getChallenge.answer>): Preview => {
  const { name, difficulty, points, locationName, city, state, description } = challenge;
  const facts = `${difficulty}, ${points} points: ${listed(...[locationName, city, state].map(isolated))}.`;
  return {
    title: isolated(name),
    text: cutText(`${facts} ${description}`.trim(), maxTextLength, '…'),
    // Drawn by the build of the web app.
    picture: { path: `/images/scenes/${sceneOf(challenge)}.jpg`, isWide: true },
  };
};

const ofUser = ({ username, points, city, state, avatar }: z.output<typeof operations.getUser.answer>) => {
  const place = listed(city, state);
  const preview: Preview = {
    title: username,
    text: `${username} has ${points} points on Wayquest${place && ` and explores around ${place}`}.`,
  };
  // A drawn one is an SVG, which readers of previews do not show.
  return avatar && !avatar.endsWith('.svg')
    ? { ...preview, picture: { path: `/public/profile-pics/${encodeURIComponent(avatar)}`, isWide: false } }
    : preview;
};

/** A kind of page with a preview, and the public call that a browser would make for it. */
interface Kind {
  page: RegExp;
  operation: Operation & { service: HttpServiceName };
  read: (answer: unknown) => Preview;
}

const kinds: Kind[] = [
  {
    page: /^\/challenges\/(\d{1,15})\/?$/i,
    operation: operations.getChallenge,
    read: (answer) => ofChallenge(operations.getChallenge.answer.parse(answer)),
  },
  {
    page: /^\/users\/(\d{1,15})\/?$/i,
    operation: operations.getUser,
    read: (answer) => ofUser(operations.getUser.answer.parse(answer)),
  },
];

/** Previews of challenges and profiles, asked of their services, each kept for a short time. */
export function createPreviews({
  upstreams,
  count,
  clientAddressOf,
}: {
  upstreams: Upstreams;
  count: CountRequest;
  clientAddressOf: ClientAddressOf;
}): PreviewOf {
  const kept = new Map<string, { preview: Promise<Preview | undefined>; until: number }>();

  const ask = async ({ operation, read }: Kind, id: string): Promise<Preview | undefined> => {
    const response = await upstreams.to(operation.service).pool.request({
      method: 'GET',
      path: operation.path.replace('{id}', id),
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(upstreams.timeouts.previewMs),
    });
    if (response.statusCode === 200) return read(await response.body.json());
    await response.body.dump();
    return undefined;
  };

  return async (request, path) => {
    for (const kind of kinds) {
      const id = kind.page.exec(path)?.[1];
      if (id === undefined) continue;
      const key = kind.operation.path.replace('{id}', id);
      const found = kept.get(key);
      if (found && found.until > Date.now()) return found.preview;
      try {
        await count(
          kind.operation,
          rateLimitKeyOf(clientAddressOf(request).address, request.headers.authorization),
        );
      } catch {
        // Who asks too often gets the page as it is.
        return undefined;
      }
      // The page is worth showing without it, whatever the reason: the browser asks again and tells the person.
      const preview = ask(kind, id).catch(() => undefined);
      kept.delete(key);
      kept.set(key, { preview, until: Date.now() + keptMs });
      const [oldest] = kept.keys();
      if (kept.size > maxCached && oldest !== undefined) kept.delete(oldest);
      return preview;
    }
    return undefined;
  };
}
