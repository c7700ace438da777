import type { Position } from '@wayquest/contracts';

/** A deterministic generator of pseudorandom numbers from 0 to 1. */
function createRandomness(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A village with the same number of challenges in every store, and nothing else nearby. */
export const village = { lat: 40.3, lng: -71.5, challenges: 40 };

/** The town around which most people are. */
export const town = { lat: 40.73, lng: -73.85 };

/**
 * Yields positions of challenges: a few in the village, most of the others in the town, the rest across the country.
 */
export function* places(count: number): Generator<Position & { inVillage?: true }> {
  const chance = createRandomness(count);
  /** The sum of several random numbers, so that most are near the center. */
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
