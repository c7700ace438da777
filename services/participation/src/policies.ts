import type { Caller } from '@wayquest/platform';

interface Owned {
  userId: number;
}

export const canComplete = (caller: Pick<Caller, 'id'>, line: Owned): boolean => caller.id === line.userId;

export const canRemove = (caller: Pick<Caller, 'id' | 'admin'>, line: Owned): boolean =>
  caller.id === line.userId || caller.admin;
