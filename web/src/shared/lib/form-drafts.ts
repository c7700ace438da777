import { type KeyValueStorage, safeLocalStorage, safeSessionStorage, storedJson } from './storage.ts';

/** The values of a form's fields. */
export type FormFields = Readonly<Record<string, string | boolean>>;

/**
 * Unsent form fields of a person: stored for this tab, so that they survive a session that ends elsewhere. They are
 * deleted at logout, and when another person logs in.
 */
export interface FormDrafts {
  read(userId: number, form: string): FormFields | undefined;
  /** Without fields, or with none, removes the draft. */
  write(userId: number, form: string, fields?: FormFields): void;
  /** Removes the drafts of all other people. */
  keepOnly(userId: number): void;
  /** Removes all drafts, including those in other tabs. */
  clear(): void;
}

interface StoredDrafts {
  userId: number;
  /** Time of the last change: drafts from before a logout in another tab are ignored. */
  writtenAt: number;
  forms: Record<string, FormFields>;
}

interface Storages {
  /** Session storage, of this tab. */
  session: KeyValueStorage;
  /** Local storage, shared by all tabs. */
  local: KeyValueStorage;
}

const draftsKey = 'wayquest-form-drafts';
const logoutKey = 'wayquest-logged-out-at';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isFields = (value: unknown): value is FormFields =>
  isObject(value) && Object.values(value).every((each) => ['string', 'boolean'].includes(typeof each));

function parse(stored: unknown): StoredDrafts | undefined {
  if (!isObject(stored) || !('userId' in stored && 'writtenAt' in stored && 'forms' in stored))
    return undefined;
  const { userId, writtenAt, forms } = stored;
  if (typeof userId !== 'number' || typeof writtenAt !== 'number' || !isObject(forms)) return undefined;
  const valid = Object.entries(forms).flatMap(([form, fields]) => (isFields(fields) ? [[form, fields]] : []));
  return { userId, writtenAt, forms: Object.fromEntries(valid) };
}

/** Form drafts in the browser's storages. */
export function formDraftsIn({ session, local }: Storages, now: () => number = Date.now): FormDrafts {
  let stored: StoredDrafts | undefined;
  let isLoaded = false;
  const save = () => session.setItem(draftsKey, JSON.stringify(stored ?? null));
  const draftsOf = (userId: number): StoredDrafts => {
    if (!isLoaded) stored = parse(storedJson(session, draftsKey));
    isLoaded = true;
    const loggedOutAt = Number(local.getItem(logoutKey) ?? 0);
    if (stored?.userId !== userId || stored.writtenAt < loggedOutAt) {
      stored = { userId, writtenAt: now(), forms: {} };
      save();
    }
    return stored;
  };
  return {
    read: (userId, form) => draftsOf(userId).forms[form],
    write(userId, form, fields = {}) {
      const drafts = draftsOf(userId);
      if (Object.keys(fields).length > 0) drafts.forms[form] = fields;
      else delete drafts.forms[form];
      drafts.writtenAt = now();
      save();
    },
    keepOnly: (userId) => void draftsOf(userId),
    clear() {
      stored = undefined;
      isLoaded = true;
      save();
      local.setItem(logoutKey, String(now()));
    },
  };
}

export const browserFormDrafts = formDraftsIn({ session: safeSessionStorage, local: safeLocalStorage });

/** Returns a form with the fields of its draft, if it has fields of these names and types. */
export function withDraft<T extends object>(form: T, draft: FormFields | undefined): T {
  const types = new Map(Object.entries(form).map(([name, value]) => [name, typeof value]));
  const fitting = Object.entries(draft ?? {}).filter(([name, value]) => types.get(name) === typeof value);
  return { ...form, ...Object.fromEntries(fitting) };
}

/** The text and boolean fields of a form. */
export const fieldsOf = (form: object): FormFields =>
  Object.fromEntries(
    Object.entries(form).filter(([, value]) => typeof value === 'string' || typeof value === 'boolean'),
  );
