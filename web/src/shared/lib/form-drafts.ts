import { type KeyValueStorage, safeLocalStorage, safeSessionStorage, storedJson } from './storage.ts';

/** The values of a form's fields. */
export type FormFields = Readonly<Record<string, string | boolean>>;

/**
 * What a person has begun to write in forms and not sent: kept in this tab, so that it outlives a session that ends elsewhere, for
 * this person alone. It goes when they log out, and when somebody else logs in.
 */
export interface FormDrafts {
  read(userId: number, form: string): FormFields | undefined;
  /** Nothing, or no field, removes the draft. */
  write(userId: number, form: string, fields?: FormFields): void;
  /** Removes the drafts of everybody else. */
  keepOnly(userId: number): void;
  /** Removes all drafts, also those of other tabs. */
  clear(): void;
}

interface Kept {
  userId: number;
  /** When something was written last: drafts from before a logout in another tab are not used any more. */
  writtenAt: number;
  forms: Record<string, FormFields>;
}

interface Storages {
  /** Of this tab. */
  session: KeyValueStorage;
  /** Of all tabs. */
  local: KeyValueStorage;
}

const draftsKey = 'wayquest-form-drafts';
const logoutKey = 'wayquest-logged-out-at';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isFields = (value: unknown): value is FormFields =>
  isObject(value) && Object.values(value).every((each) => ['string', 'boolean'].includes(typeof each));

function parse(kept: unknown): Kept | undefined {
  if (!isObject(kept) || !('userId' in kept && 'writtenAt' in kept && 'forms' in kept)) return undefined;
  const { userId, writtenAt, forms } = kept;
  if (typeof userId !== 'number' || typeof writtenAt !== 'number' || !isObject(forms)) return undefined;
  const valid = Object.entries(forms).flatMap(([form, fields]) => (isFields(fields) ? [[form, fields]] : []));
  return { userId, writtenAt, forms: Object.fromEntries(valid) };
}

/** Drafts in the storages of a browser. */
export function formDraftsIn({ session, local }: Storages, now: () => number = Date.now): FormDrafts {
  let kept: Kept | undefined;
  let isLoaded = false;
  const save = () => session.setItem(draftsKey, JSON.stringify(kept ?? null));
  const draftsOf = (userId: number): Kept => {
    if (!isLoaded) kept = parse(storedJson(session, draftsKey));
    isLoaded = true;
    const loggedOutAt = Number(local.getItem(logoutKey) ?? 0);
    if (kept?.userId !== userId || kept.writtenAt < loggedOutAt) {
      kept = { userId, writtenAt: now(), forms: {} };
      save();
    }
    return kept;
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
      kept = undefined;
      isLoaded = true;
      save();
      local.setItem(logoutKey, String(now()));
    },
  };
}

export const browserFormDrafts = formDraftsIn({ session: safeSessionStorage, local: safeLocalStorage });

/** A form with what was kept of it, as far as it has such fields. */
export function withDraft<T extends object>(form: T, draft: FormFields | undefined): T {
  const types = new Map(Object.entries(form).map(([name, value]) => [name, typeof value]));
  const fitting = Object.entries(draft ?? {}).filter(([name, value]) => types.get(name) === typeof value);
  return { ...form, ...Object.fromEntries(fitting) };
}

/** The texts and choices of a form. */
export const fieldsOf = (form: object): FormFields =>
  Object.fromEntries(
    Object.entries(form).filter(([, value]) => typeof value === 'string' || typeof value === 'boolean'),
  );
