import { createHash } from 'node:crypto';
import {
  type Address,
  type Area,
  chineseSuggestionTexts,
  type Difficulty,
  englishSuggestionTexts,
  type Language,
  type PlaceCategory,
  type Position,
  placeCategoryOfType,
  placeTypes,
  pointsByDifficulty,
  type Suggestion,
  type SuggestionTextKey,
  type SuggestionTexts,
  suggestionText,
} from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';
import type { Gazetteer } from './gazetteer/gazetteer.ts';
import { kmBetween, type TypedPlace } from './gazetteer/known-places.ts';
import { isVillage, maxTownDistanceKm, townAround, townRadiusKm } from './gazetteer/town-areas.ts';
import { addressOf, type Town } from './gazetteer/towns.ts';
import type { Places } from './places.ts';

interface Template {
  difficulty: Difficulty;
  placeCategory: PlaceCategory;
  /** Only suggested in towns with at least so many people. */
  minPopulation?: number;
}

type TemplateKey = Exclude<SuggestionTextKey, 'place'>;

/** Tasks for a town or its villages, in public places. */
const templates: Record<TemplateKey, Template> = {
  loop: { difficulty: 'Easy', placeCategory: 'street' },
  'oldest-building': { difficulty: 'Medium', placeCategory: 'house' },
  water: { difficulty: 'Easy', placeCategory: 'bridge' },
  view: { difficulty: 'Medium', placeCategory: 'viewpoint' },
  market: { difficulty: 'Easy', placeCategory: 'market' },
  statue: { difficulty: 'Easy', placeCategory: 'monument' },
  museum: { difficulty: 'Easy', placeCategory: 'museum', minPopulation: 50_000 },
  library: { difficulty: 'Easy', placeCategory: 'library', minPopulation: 10_000 },
  park: { difficulty: 'Easy', placeCategory: 'park', minPopulation: 10_000 },
  garden: { difficulty: 'Easy', placeCategory: 'garden' },
  tree: { difficulty: 'Medium', placeCategory: 'park' },
  cafe: { difficulty: 'Easy', placeCategory: 'cafe' },
  taste: { difficulty: 'Easy', placeCategory: 'restaurant' },
  'street-name': { difficulty: 'Easy', placeCategory: 'street' },
  sunset: { difficulty: 'Medium', placeCategory: 'viewpoint' },
  early: { difficulty: 'Medium', placeCategory: 'street' },
  mural: { difficulty: 'Easy', placeCategory: 'attraction', minPopulation: 10_000 },
  clock: { difficulty: 'Easy', placeCategory: 'monument' },
  fountain: { difficulty: 'Easy', placeCategory: 'water' },
  stairs: { difficulty: 'Medium', placeCategory: 'street' },
  tower: { difficulty: 'Easy', placeCategory: 'attraction' },
  door: { difficulty: 'Easy', placeCategory: 'house' },
  stop: { difficulty: 'Easy', placeCategory: 'station', minPopulation: 50_000 },
  secondhand: { difficulty: 'Easy', placeCategory: 'shop', minPopulation: 20_000 },
  run: { difficulty: 'Hard', placeCategory: 'sports', minPopulation: 20_000 },
  north: { difficulty: 'Medium', placeCategory: 'street', minPopulation: 50_000 },
  cinema: { difficulty: 'Medium', placeCategory: 'cinema', minPopulation: 50_000 },
  stage: { difficulty: 'Easy', placeCategory: 'stage', minPopulation: 50_000 },
  music: { difficulty: 'Medium', placeCategory: 'club', minPopulation: 50_000 },
  'village-edge': { difficulty: 'Easy', placeCategory: 'street' },
  'village-bench': { difficulty: 'Easy', placeCategory: 'viewpoint' },
  'village-house': { difficulty: 'Medium', placeCategory: 'house' },
  'village-stream': { difficulty: 'Easy', placeCategory: 'water' },
  'village-path': { difficulty: 'Easy', placeCategory: 'forest' },
  'village-hill': { difficulty: 'Medium', placeCategory: 'mountain' },
  'village-next': { difficulty: 'Hard', placeCategory: 'street' },
  'village-field': { difficulty: 'Easy', placeCategory: 'farm' },
  'village-stars': { difficulty: 'Easy', placeCategory: 'viewpoint' },
  'village-birds': { difficulty: 'Medium', placeCategory: 'forest' },
};

const isTemplateKey = (text: string): text is TemplateKey => Object.hasOwn(templates, text);
const templateKeys = Object.keys(templates).filter(isTemplateKey);

const isForVillages = (key: TemplateKey): boolean => key.startsWith('village-');

const texts: Record<Language, SuggestionTexts> = { en: englishSuggestionTexts, zh: chineseSuggestionTexts };

/** Named places are no farther from a center, in meters. */
const maxPlaceDistance = 1_000;

/** Adding 0 makes 0 of -0, which `toFixed` would write with a sign. */
const formatDegrees = (degrees: number): string => (Number(degrees.toFixed(4)) + 0).toFixed(4);

const keyOf = ({ lat, lng }: Position): string => `${formatDegrees(lat)}_${formatDegrees(lng)}`;

/** An id names the center of its town as rounded by less than this. */
const maxRoundingKm = 0.01;

/** What a town's tasks are sorted by: arbitrary, so that neighboring towns differ, but always the same. */
const orderOf = (town: Town, key: TemplateKey): string =>
  createHash('sha256')
    .update(`${keyOf(town)}_${key}`)
    .digest('hex');

/** A village's tasks can be completed in all villages around its town. */
const areaOf = (town: Town, key: TemplateKey): Area =>
  isForVillages(key)
    ? { kind: 'surroundings', radiusMeters: maxTownDistanceKm * 1_000 }
    : { kind: 'town', radiusMeters: Math.round(townRadiusKm(town) * 10) * 100 };

function suggestionOfTemplate(town: Town, key: TemplateKey, language: Language): Suggestion {
  const { difficulty, placeCategory } = templates[key];
  const template = { key, place: town.city };
  return {
    id: `${keyOf(town)}_${key}`,
    ...suggestionText(texts[language], language, template),
    ...{ difficulty, placeCategory, points: pointsByDifficulty[difficulty], locationName: '' },
    ...addressOf(town),
    position: { lat: town.lat, lng: town.lng },
    area: areaOf(town, key),
    template,
  };
}

function suggestionOfPlace(town: Town, place: TypedPlace, language: Language): Suggestion {
  const { id, name, type, streetAddress, city, state, zip, position } = place;
  const address: Address = city ? { streetAddress, city, state, zip } : { ...addressOf(town), streetAddress };
  const template = { key: 'place', place: name } as const;
  return {
    id: `${keyOf(town)}_${type}-${id}`,
    ...suggestionText(texts[language], language, template),
    ...{
      difficulty: 'Easy',
      placeCategory: placeCategoryOfType[type],
      points: pointsByDifficulty.Easy,
      locationName: name,
    },
    ...address,
    position,
    template,
  };
}

interface Sources {
  gazetteer: () => Promise<Gazetteer>;
  nearestOfTypes: Places['nearestOfTypes'];
}

/** Challenges that are suggested where nobody has created any. */
export interface Suggestions {
  /**
   * Suggestions for the town at a position, or for its village: one that is small, or between towns.
   *
   * @returns Named places, the nearest first, then tasks; none farther than 30 km from any town. `isComplete`: whether no external
   * server was unavailable.
   */
  list(position: {
    at: Position;
    language?: Language | undefined;
  }): Promise<{ suggestions: Suggestion[]; isComplete: boolean }>;
  /** Throws `suggestion-not-found`, and `places-unavailable` for one at a named place. */
  get(id: string, language?: Language): Promise<Suggestion>;
}

/** Creates the suggested challenges of a town; the same for everybody. */
export function createSuggestions({ gazetteer, nearestOfTypes }: Sources): Suggestions {
  /** At the nearest named place of each type around a town's center. */
  const atPlacesOf = async (town: Town, language: Language) => {
    const found = await nearestOfTypes({ lat: town.lat, lng: town.lng }, maxPlaceDistance);
    const suggested = (places: TypedPlace[]) =>
      places.map((place) => suggestionOfPlace(town, place, language));
    return {
      atPlaces: suggested(found.places),
      atKnownPlaces: suggested(found.nearestBuiltIn),
      isComplete: found.isComplete,
    };
  };

  return {
    async list({
      at,
      language = 'en',
    }: {
      at: Position;
      language?: Language | undefined;
    }): Promise<{ suggestions: Suggestion[]; isComplete: boolean }> {
      const { townsWithin } = await gazetteer();
      const town = townAround(at, townsWithin);
      if (!town) return { suggestions: [], isComplete: true };
      const isInTown = kmBetween(town, at) <= townRadiusKm(town);
      const forVillages = !isInTown || isVillage(town, townsWithin);
      const tasks = templateKeys
        .filter((key) => isForVillages(key) === forVillages)
        .filter((key) => town.population >= (templates[key].minPopulation ?? 0))
        .toSorted((one, other) => (orderOf(town, one) < orderOf(town, other) ? -1 : 1))
        .map((key) => suggestionOfTemplate(town, key, language));
      if (!isInTown) return { suggestions: tasks, isComplete: true };
      const { atPlaces, isComplete } = await atPlacesOf(town, language);
      atPlaces.sort((one, other) => kmBetween(one.position, at) - kmBetween(other.position, at));
      return { suggestions: [...atPlaces, ...tasks], isComplete };
    },

    async get(id: string, language: Language = 'en'): Promise<Suggestion> {
      const [lat = '', lng = ''] = id.split('_');
      const key = id.slice(`${lat}_${lng}_`.length);
      const at = { lat: Number(lat), lng: Number(lng) };
      const isOnEarth = Math.abs(at.lat) <= 90 && Math.abs(at.lng) <= 180;
      const [town] = isOnEarth ? (await gazetteer()).townsWithin(at, maxRoundingKm) : [];
      if (!town || keyOf(town) !== keyOf(at)) throw new Problem('suggestion-not-found');
      if (isTemplateKey(key)) return suggestionOfTemplate(town, key, language);
      if (!placeTypes.some((type) => key.startsWith(`${type}-`))) throw new Problem('suggestion-not-found');
      const { atPlaces, atKnownPlaces, isComplete } = await atPlacesOf(town, language);
      // One that was listed while the external server was unavailable can be joined later.
      const suggestion = [...atPlaces, ...atKnownPlaces].find((each) => each.id === id);
      if (!suggestion) throw new Problem(isComplete ? 'suggestion-not-found' : 'places-unavailable');
      return suggestion;
    },
  };
}
