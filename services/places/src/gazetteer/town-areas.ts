import type { Position } from '@wayquest/contracts';
import { kmBetween } from './known-places.ts';
import type { Town } from './towns.ts';

/** Returns the towns within so many kilometers, the nearest first. */
export type TownsWithin = (at: Position, km: number) => Town[];

/** How far a position may be from the center of its town. */
export const maxTownDistanceKm = 30;

/** Of typical towns: from it and the population follows how large the built-up area is. */
const peoplePerSquareKm = 4_000;

/** Larger ones have no reliable center. */
const maxRadiusKm = 20;

/** Farther from the center of a large city its districts and neighbors have centers of their own. */
const maxCenterRadiusKm = 8;

/** Assumed where the data lack the population, which are towns of the United States' post office. */
const unknownPopulation = 5_000;

/** How far outside of the built-up area still belongs to a town. */
const outskirtsKm = 3;

/** A place with fewer people is a village, unless it is part of a larger town. */
const minTownPopulation = 3_000;

/** The radius of a circle that is as large as the built-up area. */
const builtUpRadiusKm = ({ population }: Town): number =>
  Math.min(maxRadiusKm, Math.sqrt((population || unknownPopulation) / peoplePerSquareKm / Math.PI));

/** How far from its center everything still belongs to a town. */
export const townRadiusKm = (town: Town): number => builtUpRadiusKm(town) + outskirtsKm;

/**
 * The town whose built-up area is nearest, so that a city is not mistaken for a suburb with a nearer center. The decision rarely depends
 * on a few hundred meters: people may send a rounded position.
 */
export function townAround(at: Position, townsWithin: TownsWithin): Town | undefined {
  const kmToEdge = (town: Town) => kmBetween(town, at) - Math.min(maxCenterRadiusKm, builtUpRadiusKm(town));
  return townsWithin(at, maxTownDistanceKm).reduce<Town | undefined>(
    (best, town) => (best && kmToEdge(best) <= kmToEdge(town) ? best : town),
    undefined,
  );
}

/** Whether a town is so small, and so far from larger ones, that it may have neither a museum nor a market. */
export const isVillage = (town: Town, townsWithin: TownsWithin): boolean =>
  !townsWithin(town, maxRadiusKm + outskirtsKm).some(
    (other) => other.population >= minTownPopulation && kmBetween(other, town) <= townRadiusKm(other),
  );
