import type { Challenge } from '@wayquest/contracts';
import { useState } from 'react';
import type { CheckIn } from '../../entities/challenge-lines/slice.ts';
import { checkInMemory } from './check-in-memory.ts';

/** Whether somebody checks in with a challenge: if its creator requires it, or as they chose in this browser. */
export function useCheckIn({ position, checkInAsked = false }: Challenge, userId: number) {
  const [wanted, setWanted] = useState(() => checkInMemory.read(userId));
  const choose = (next: boolean) => {
    checkInMemory.write(userId, next);
    setWanted(next);
  };
  const chosen: CheckIn = wanted ? 'chosen' : 'no';
  const checkIn: CheckIn = checkInAsked ? 'required' : chosen;
  return { checkIn: position ? checkIn : 'no', isPossible: position !== null, wanted, choose } as const;
}
