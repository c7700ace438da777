import type { Position } from '@wayquest/contracts';

/** Numbers from 0 to 1 that look like chance and are the same in every run. */
function createChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A village that holds as many challenges whatever the store holds, and nothing else lies near. */
export const village = { lat: 40.3, lng: -71.5, challenges: 40 };

/** Where most people are: about a town. */
export const town = { lat: 40.73, lng: -73.85 };

/** Places as people make challenges: a few in the village, most of the others in the town, the rest over the country. */
export function* places(count: number): Generator<Position & { inVillage?: true }> {
  const chance = createChance(count);
  /** As the sum of many chances: most near the middle. */
  const scatter = () => (chance() + chance() + chance() + chance() - 2) * 0.15;
  const apart = Math.floor(count / village.challenges);
  for (let n = 0; n < count; n++) {
    if (n % apart === 0 && n / apart < village.challenges) {
      const [north, east] = [(chance() - 0.5) * 0.015, (chance() - 0.5) * 0.03];
      yield { lat: village.lat + north, lng: village.lng + east, inVillage: true };
    } else if (chance() < 0.65) {
      yield { lat: town.lat + scatter(), lng: town.lng + scatter() };
    } else {
      yield { lat: 30 + chance() * 18, lng: -122 + chance() * 46 };
    }
  }
}
