import { nanoid } from '@reduxjs/toolkit';
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
  /** The last logout in this browser: drafts from before a later one, in another tab, are ignored. */
  logout: string;
  forms: Record<string, FormFields>;
}

/** Where a browser stores what the person has not sent. */
export interface Storages {
  /** Session storage, of this tab. */
  session: KeyValueStorage;
  /** Local storage, shared by all tabs. */
  local: KeyValueStorage;
}

const draftsKey = 'wayquest-form-drafts';
/** In local storage, another value after each logout: what this browser stored before it is ignored. */
export const logoutKey = 'wayquest-logout';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isFields = (value: unknown): value is FormFields =>
  isObject(value) && Object.values(value).every((each) => ['string', 'boolean'].includes(typeof each));

function parse(stored: unknown): StoredDrafts | undefined {
  if (!isObject(stored) || !('userId' in stored && 'logout' in stored && 'forms' in stored)) return undefined;
  const { userId, logout, forms } = stored;
  if (typeof userId !== 'number' || typeof logout !== 'string' || !isObject(forms)) return undefined;
  const valid = Object.entries(forms).flatMap(([form, fields]) => (isFields(fields) ? [[form, fields]] : []));
  return { userId, logout, forms: Object.fromEntries(valid) };
}

/** Form drafts in the browser's storages. */
export function formDraftsIn({ session, local }: Storages): FormDrafts {
  let stored: StoredDrafts | undefined;
  let isLoaded = false;
  const save = () => session.setItem(draftsKey, JSON.stringify(stored ?? null));
  const draftsOf = (userId: number): StoredDrafts => {
    if (!isLoaded) stored = parse(storedJson(session, draftsKey));
    isLoaded = true;
    // Not a time: the device's clock may be set back.
    const logout = local.getItem(logoutKey) ?? '';
    if (stored?.userId !== userId || stored.logout !== logout) {
      stored = { userId, logout, forms: {} };
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
      save();
    },
    keepOnly: (userId) => void draftsOf(userId),
    clear() {
      stored = undefined;
      isLoaded = true;
      save();
      local.setItem(logoutKey, nanoid());
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
