import type { Position } from './geography.ts';
import type { Notification } from './notifications.ts';

// Values and functions that browsers need. No schemas: a bundler would ship them with these (ADR 26).

/** Audiences, smallest first; also the relation of a reader to a person. */
export const audiences = ['me', 'friends', 'everybody'] as const;
type Audience = (typeof audiences)[number];

/** Whether a reader belongs to an audience: the one rule of all privacy settings. */
export const isVisibleTo = (visibility: Audience, reader: Audience): boolean =>
  audiences.indexOf(reader) <= audiences.indexOf(visibility);

/** Username of deleted users; no real username contains a space. */
export const deletedUsername = 'Deleted user';

/** Who has created a challenge. */
interface Creator {
  id: number;
  username: string;
}

/**
 * The creator of suggested challenges, who has no account: only admins can change or delete them. Account ids start at 1
 * and never reach this id; usernames that impersonate Wayquest are reserved.
 */
export const wayquestCreator: Creator = { id: 2_147_483_647, username: 'Wayquest' };

/** Whether there is an account to link to and to notify. */
export const hasAccount = ({ id, username }: Creator): boolean =>
  id !== wayquestCreator.id && username !== deletedUsername;

/** The languages of pages and mails. */
export const siteLanguages = ['en', 'zh'] as const;
export type SiteLanguage = (typeof siteLanguages)[number];

/** The pages that an operator can write. */
export const sitePageNames = ['rules', 'privacy', 'imprint', 'contact'] as const;
export type SitePageName = (typeof sitePageNames)[number];

/** How hard a challenge can be, from easy to hard. */
export const difficulties = ['Easy', 'Medium', 'Hard'] as const;

/** Default points by difficulty (spec, section 5). */
export const pointsByDifficulty = { Easy: 10, Medium: 20, Hard: 30 } satisfies Record<
  (typeof difficulties)[number],
  number
>;

/** Reasons of reports. */
export const reportReasons = ['spam', 'abuse', 'danger', 'privacy', 'false', 'other'] as const;
export type ReportReason = (typeof reportReasons)[number];

/** The longest suspension, in days. */
export const maxSuspensionDays = 365;

/** What an invitation to sign up can be at most: for how many accounts, and for how many days. */
export const invitationLimits = { uses: 1_000, days: 90 } as const;

const earthRadius = 6_371_000;
const radian = Math.PI / 180;

/** Great-circle distance of two positions in meters. */
export function distanceInMeters(a: Position, b: Position): number {
  const [north, east] = [(b.lat - a.lat) * radian, (b.lng - a.lng) * radian];
  const haversine =
    Math.sin(north / 2) ** 2 + Math.cos(a.lat * radian) * Math.cos(b.lat * radian) * Math.sin(east / 2) ** 2;
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(haversine)));
}

/** How near its place a challenge is checked in, in meters; an area has a radius of its own. */
export const checkInMeters = 100;

/** Of the international foot and mile. */
export const metersPerFoot = 0.3048;
export const feetPerMile = 5_280;

/** The range of accepted dates: excludes incomplete years such as 0026. */
export const firstDay = '2000-01-01';
export const lastDay = '2100-12-31';

/** One formatter per time zone; creating one is expensive. */
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * The name of a time zone as Intl writes it.
 *
 * @param text - Possibly a time zone name, such as `asia/tokyo`.
 * @returns undefined if it is none, or only an offset such as `+09:00`.
 */
export function canonicalTimeZone(text: string): string | undefined {
  if (!/^[a-z]/i.test(text)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

function dateFormat(timeZone: string): Intl.DateTimeFormat {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  try {
    return new Intl.DateTimeFormat('en-CA', { timeZone, ...parts });
  } catch {
    return new Intl.DateTimeFormat('en-CA', { timeZone: 'UTC', ...parts });
  }
}

/**
 * The local date (YYYY-MM-DD) in an IANA time zone. In one that this browser or server does not know, such as one that was named
 * after its release, it is the date in UTC: a challenge there must not break the list that contains it.
 */
export function localDate(timeZone: string, moment: Date): string {
  const format = formats.get(timeZone) ?? dateFormat(timeZone);
  formats.set(timeZone, format);
  return format.format(moment);
}

/** The path of the app that a notification opens; null if its subject was deleted. */
export function notificationPath({
  kind,
  people: [first],
  challenge,
  change,
}: Pick<Notification, 'kind' | 'people' | 'challenge' | 'change'>): string | null {
  if (kind === 'friend-requested') return '/FriendsInvitation';
  if (kind === 'moderation-decided' && change !== 'points-flagged') return '/decisions';
  if (kind === 'archive-ready' || kind === 'archive-failed') return '/settings#data-title';
  if (kind === 'friend-accepted') return first ? `/users/${first.id}` : '/friends';
  return challenge && change !== 'deleted' ? `/challenges/${challenge.id}` : null;
}

/** How long after sending it a message can be deleted by its sender, in milliseconds. */
export const messageDeletableMs = 60 * 60 * 1_000;
