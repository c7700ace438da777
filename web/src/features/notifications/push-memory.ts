/** In whose name this browser is told while the app is closed, and by which login. */
interface PushMemory {
  userId: number;
  login: string;
}

const key = 'wayquest-push';

const isMemory = (value: unknown): value is PushMemory =>
  typeof value === 'object' &&
  value !== null &&
  'userId' in value &&
  typeof value.userId === 'number' &&
  'login' in value &&
  typeof value.login === 'string';

export const pushMemory = {
  read(): PushMemory | undefined {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
      return isMemory(kept) ? kept : undefined;
    } catch {
      return undefined;
    }
  },
  write: (memory: PushMemory): void => localStorage.setItem(key, JSON.stringify(memory)),
  clear: (): void => localStorage.removeItem(key),
};
