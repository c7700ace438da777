import { isRejected, sentenceOf } from './errors.ts';
import { serverNow } from './server-time.ts';
import { type SafeStorage, safeLocalStorage, storedJson } from './storage.ts';

/** A message that somebody is writing. */
export interface Draft {
  /** The conversation's id. */
  id: number;
  text: string;
}

/** What the server has rejected stays, with the reason as a sentence, until its person decides. */
interface Refusable {
  refused?: string;
}

/** A message that is not known to be saved. */
export interface UnsentMessage extends Refusable {
  conversationId: number;
  clientId: string;
  text: string;
  createdAt: string;
}

/** A position of the device. */
export interface FoundPosition {
  lat: number;
  lng: number;
  accuracy: number;
}

/** A completion that the server has not accepted yet. Times are in milliseconds, by the server's clock as far as it was known. */
export interface PendingCompletion extends Refusable {
  participationId: number;
  challengeId: number;
  /** The challenge's name, for notices. */
  name: string;
  /** When it was completed. */
  doneAt: number;
  /** Where the device was then, for a check-in. */
  position?: FoundPosition;
}

/** A change of one's own log entry that is not saved yet. */
export interface UnsentEntry extends Refusable {
  participationId: number;
  /** The challenge's name. */
  name: string;
  note?: string;
  /** A picture as a `data:` URL; null to remove the photo. */
  photo?: string | null;
}

/** What waits in the browser, by kind. */
export interface ItemKinds {
  completion: PendingCompletion;
  message: UnsentMessage;
  entry: UnsentEntry;
  draft: Draft;
}
export type ItemKind = keyof ItemKinds;

type Fields = ReadonlyMap<string, unknown>;

interface Rules<T> {
  idOf(item: T): string;
  isItem(fields: Fields): boolean;
  /** Sorts items in the order in which they are sent. */
  orderOf(item: T): number;
  /** Version 0.2.0 stored a list of all items of a person under this name. */
  former?: string;
  /** An item of that version. */
  fromFormer?(item: T): T;
}

const all = (fields: Fields, type: 'string' | 'number', names: string[]) =>
  names.every((name) => typeof fields.get(name) === type);
const isTextIfAny = (fields: Fields, name: string) =>
  fields.get(name) === undefined || typeof fields.get(name) === 'string';

const rules: { [K in ItemKind]: Rules<ItemKinds[K]> } = {
  completion: {
    idOf: ({ participationId }) => String(participationId),
    isItem: (fields) =>
      all(fields, 'number', ['participationId', 'challengeId', 'doneAt']) && all(fields, 'string', ['name']),
    orderOf: ({ doneAt }) => doneAt,
    former: 'completions',
    // That was by the device's clock.
    fromFormer: (item) => ({ ...item, doneAt: item.doneAt + serverNow() - Date.now() }),
  },
  message: {
    idOf: ({ clientId }) => clientId,
    isItem: (fields) =>
      all(fields, 'number', ['conversationId']) && all(fields, 'string', ['clientId', 'text', 'createdAt']),
    orderOf: ({ createdAt }) => Date.parse(createdAt),
    former: 'unsent',
  },
  entry: {
    idOf: ({ participationId }) => String(participationId),
    isItem: (fields) =>
      all(fields, 'number', ['participationId']) &&
      all(fields, 'string', ['name']) &&
      isTextIfAny(fields, 'note') &&
      (fields.get('photo') === null || isTextIfAny(fields, 'photo')),
    orderOf: ({ participationId }) => participationId,
  },
  draft: {
    idOf: ({ id }) => String(id),
    isItem: (fields) => all(fields, 'number', ['id']) && all(fields, 'string', ['text']),
    orderOf: ({ id }) => id,
    former: 'drafts',
  },
};

const kinds: ItemKind[] = ['completion', 'message', 'entry', 'draft'];

/** How long to wait for another tab: the system may have suspended it while it was sending. In milliseconds. */
const lockTimeoutMs = 30_000;

/** Runs while no other tab runs something of this name. */
export type Exclusively = <R>(name: string, run: () => Promise<R>) => Promise<R>;

/** The browser's locks; undefined if it has none (they need `https://`), or blocks them. */
function browserLocks(): LockManager | undefined {
  try {
    return navigator.locks;
  } catch {
    return undefined;
  }
}

/** By the browser's locks. Without them it just runs: the server recognizes what it gets twice. */
const exclusivelyInBrowser: Exclusively = async (name, run) => {
  const locks = browserLocks();
  if (!locks) return run();
  let hasStarted = false;
  const start = () => {
    hasStarted = true;
    return run();
  };
  try {
    return await locks.request(name, { signal: AbortSignal.timeout(lockTimeoutMs) }, start);
  } catch (error) {
    if (hasStarted) throw error;
    return run();
  }
};

/** Sends an item. A rejection either ends it, or keeps it with the reason. */
interface Sending<T, R> {
  send(item: T): Promise<R>;
  onRejected: 'remove' | 'keep';
}

/**
 * What a person has done that the server does not know yet: the only place in the browser where it is stored, until the server has
 * answered. One key for each item, so that each tab adds and removes its own ones only.
 */
export interface UnsentItems {
  /** The items of a person, in the order in which they are sent; invalid ones are ignored. */
  list<K extends ItemKind>(userId: number, kind: K): ItemKinds[K][];
  /**
   * Stores an item, in place of one with its id.
   *
   * @returns Whether it survives the page: otherwise the browser's storage is blocked or full, and it is only in memory.
   */
  put<K extends ItemKind>(userId: number, kind: K, item: ItemKinds[K]): boolean;
  remove(userId: number, kind: ItemKind, id: string | number): void;
  /** Removes all items of a person, of some kinds. */
  clear(userId: number, kinds?: readonly ItemKind[]): void;
  /**
   * Sends an item while no other tab does, and removes it.
   *
   * @returns Undefined if it was sent or removed in another tab.
   * @throws What `send` throws. Without a response or with one that is no rejection (`isRejected`) the item stays as it is.
   */
  send<K extends ItemKind, R>(
    userId: number,
    kind: K,
    id: string | number,
    sending: Sending<ItemKinds[K], R>,
  ): Promise<{ response: R } | undefined>;
  /** Calls back after changes in other tabs. Returns a function to stop that. */
  watch(userId: number, onChange: () => void): () => void;
}

/** Items in a storage of the browser. */
export function createUnsentItems(storage: SafeStorage, exclusively: Exclusively): UnsentItems {
  const prefixOf = (userId: number, kind: ItemKind) => `wayquest-unsent-${userId}-${kind}-`;
  const keyOf = (userId: number, kind: ItemKind, id: string | number) => prefixOf(userId, kind) + id;
  const formerKeyOf = (userId: number, kind: ItemKind) =>
    rules[kind].former && `wayquest-${rules[kind].former}-${userId}`;

  const isItem = <K extends ItemKind>(kind: K, value: unknown): value is ItemKinds[K] =>
    typeof value === 'object' && value !== null && rules[kind].isItem(new Map(Object.entries(value)));

  const read = <K extends ItemKind>(kind: K, key: string): ItemKinds[K] | undefined => {
    const stored = storedJson(storage, key);
    return isItem(kind, stored) ? stored : undefined;
  };

  const put = <K extends ItemKind>(userId: number, kind: K, item: ItemKinds[K]): boolean =>
    storage.setItem(keyOf(userId, kind, rules[kind].idOf(item)), JSON.stringify(item));

  /** Takes over the list of version 0.2.0, also from a tab in which that is still open. */
  const takeOver = <K extends ItemKind>(userId: number, kind: K) => {
    const key = formerKeyOf(userId, kind);
    if (!key || storage.getItem(key) === null) return;
    const stored = storedJson(storage, key);
    for (const item of Array.isArray(stored) ? stored : []) {
      if (isItem(kind, item) && storage.getItem(keyOf(userId, kind, rules[kind].idOf(item))) === null)
        put(userId, kind, rules[kind].fromFormer?.(item) ?? item);
    }
    storage.removeItem(key);
  };

  return {
    list(userId, kind) {
      takeOver(userId, kind);
      return storage
        .keys(prefixOf(userId, kind))
        .flatMap((key) => read(kind, key) ?? [])
        .sort((one, other) => rules[kind].orderOf(one) - rules[kind].orderOf(other));
    },
    put,
    remove: (userId, kind, id) => storage.removeItem(keyOf(userId, kind, id)),
    clear(userId, of = kinds) {
      for (const kind of of) {
        for (const key of storage.keys(prefixOf(userId, kind))) storage.removeItem(key);
        const former = formerKeyOf(userId, kind);
        if (former) storage.removeItem(former);
      }
    },
    send(userId, kind, id, { send, onRejected }) {
      const key = keyOf(userId, kind, id);
      return exclusively(key, async () => {
        const item = read(kind, key);
        if (!item) return undefined;
        const sent = JSON.stringify(item);
        // What was changed meanwhile, as a note that was edited once more, is to be sent, too.
        const remove = () => {
          if (JSON.stringify(read(kind, key)) === sent) storage.removeItem(key);
        };
        try {
          const response = await send(item);
          remove();
          return { response };
        } catch (error) {
          if (isRejected(error)) {
            if (onRejected === 'remove') remove();
            // Unless the person discarded it meanwhile.
            else if (read(kind, key)) put(userId, kind, { ...item, refused: sentenceOf(error) });
          }
          throw error;
        }
      });
    },
    watch: (userId, onChange) =>
      storage.watch((key) => {
        const isTheirs =
          key === null ||
          kinds.some((kind) => key.startsWith(prefixOf(userId, kind)) || key === formerKeyOf(userId, kind));
        if (isTheirs) onChange();
      }),
  };
}

export const browserUnsentItems: UnsentItems = createUnsentItems(safeLocalStorage, exclusivelyInBrowser);
