import {
  type Address,
  type Difficulty,
  type Language,
  type PlaceCategory,
  type Position,
  placeCategoryOfType,
  placeTypes,
  pointsByDifficulty,
  type Suggestion,
} from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';
import type { Gazetteer } from './gazetteer/gazetteer.ts';
import { kmBetween, type TypedPlace } from './gazetteer/known-places.ts';
import { addressOf, type Town } from './gazetteer/towns.ts';
import type { Places } from './places.ts';

type Texts = Pick<Suggestion, 'name' | 'description'>;

interface Template {
  key: string;
  difficulty: Difficulty;
  placeCategory: PlaceCategory;
  texts: Record<Language, (city: string) => Texts>;
}

/** Things to do around the center of any town, in public places. */
const templates: readonly Template[] = [
  {
    key: 'loop',
    difficulty: 'Easy',
    placeCategory: 'street',
    texts: {
      en: (city) => ({
        name: `Walk a loop around the center of ${city}`,
        description: 'Start in the center, turn at a street you have never taken, and come back another way.',
      }),
      zh: (city) => ({
        name: `绕 ${city} 市中心走一圈`,
        description: '从市中心出发，拐进一条没走过的街，再从另一条路回来。',
      }),
    },
  },
  {
    key: 'oldest-building',
    difficulty: 'Medium',
    placeCategory: 'house',
    texts: {
      en: (city) => ({
        name: `Find the oldest building in the center of ${city}`,
        description: 'Look for dates above doors and on corner stones. View it from the street.',
      }),
      zh: (city) => ({
        name: `找到 ${city} 市中心最老的建筑`,
        description: '看看门楣和墙角石上的年份。在街上看就好。',
      }),
    },
  },
  {
    key: 'water',
    difficulty: 'Easy',
    placeCategory: 'bridge',
    texts: {
      en: (city) => ({
        name: `Cross water in ${city}`,
        description: 'A river, a canal or a stream: find a bridge near the center and cross it on foot.',
      }),
      zh: (city) => ({
        name: `在 ${city} 走过一座桥`,
        description: '河、运河或者小溪都行：在市中心附近找一座桥，步行走过去。',
      }),
    },
  },
  {
    key: 'view',
    difficulty: 'Medium',
    placeCategory: 'viewpoint',
    texts: {
      en: (city) => ({
        name: `Find the best view of ${city}`,
        description: 'A hill, a bridge, a public terrace: go where you can see the most of the town.',
      }),
      zh: (city) => ({
        name: `找到看 ${city} 最好的地方`,
        description: '山坡、桥上或者公共露台：去一个能看到最多街景的地方。',
      }),
    },
  },
  {
    key: 'market',
    difficulty: 'Easy',
    placeCategory: 'market',
    texts: {
      en: (city) => ({
        name: `Visit a market in ${city}`,
        description: 'Find a market or a market square near the center, and something there you do not know.',
      }),
      zh: (city) => ({
        name: `逛一个 ${city} 的市场`,
        description: '在市中心附近找一个市场或集市广场，再找一样你不认识的东西。',
      }),
    },
  },
  {
    key: 'statue',
    difficulty: 'Easy',
    placeCategory: 'monument',
    texts: {
      en: (city) => ({
        name: `Meet a statue in ${city}`,
        description: 'Find a statue or a monument near the center, and read whom it remembers.',
      }),
      zh: (city) => ({
        name: `认识 ${city} 的一座雕像`,
        description: '在市中心附近找一座雕像或纪念碑，看看它纪念的是谁。',
      }),
    },
  },
];

const placeTexts: Record<Language, (name: string) => Texts> = {
  en: (name) => ({
    name: `Discover ${name}`,
    description: 'Go there, look around, and find a detail that most people walk past.',
  }),
  zh: (name) => ({ name: `探索 ${name}`, description: '去那里走走看看，找一个大多数人没注意到的细节。' }),
};

/** The end of each template's description, since its position is only where to start from. */
const publicSpaceHint: Record<Language, string> = {
  en: 'Stay on public ground.',
  zh: '请只走公共场所，不要进私人院子。',
};

/** How far from a center the first template is placed, and how much farther each next one, in meters. */
const templateDistance = { first: 150, step: 100 };

/** Named places are no farther from a center, in meters. */
const maxPlaceDistance = 1_000;

const metersPerDegree = 111_320;

/** A position at a distance in meters from another one; an angle of 0 degrees is north. */
function destination({ lat, lng }: Position, meters: number, degrees: number): Position {
  const angle = (degrees * Math.PI) / 180;
  const north = (meters * Math.cos(angle)) / metersPerDegree;
  const east = (meters * Math.sin(angle)) / (metersPerDegree * Math.cos((lat * Math.PI) / 180));
  return { lat: Number((lat + north).toFixed(5)), lng: Number((lng + east).toFixed(5)) };
}

/** Adding 0 makes 0 of -0, which `toFixed` would write with a sign. */
const formatDegrees = (degrees: number): string => (Number(degrees.toFixed(4)) + 0).toFixed(4);

const keyOf = ({ lat, lng }: Position): string => `${formatDegrees(lat)}_${formatDegrees(lng)}`;

/** The direction of a town's first template: arbitrary, but always the same. */
const directionOf = ({ lat, lng }: Position): number =>
  Math.round(Math.abs(lat * 7_919 + lng * 104_729)) % 360;

function suggestionOfTemplate(town: Town, index: number, language: Language): Suggestion | undefined {
  const template = templates[index];
  if (!template) return undefined;
  const { key, difficulty, placeCategory, texts } = template;
  const { name, description } = texts[language](town.city);
  const angle = directionOf(town) + (index * 360) / templates.length;
  return {
    id: `${keyOf(town)}_${key}`,
    name,
    description: `${description} ${publicSpaceHint[language]}`,
    ...{ difficulty, placeCategory, points: pointsByDifficulty[difficulty], locationName: '' },
    ...addressOf(town),
    position: destination(town, templateDistance.first + index * templateDistance.step, angle),
  };
}

function suggestionOfPlace(town: Town, place: TypedPlace, language: Language): Suggestion {
  const { id, name, type, streetAddress, city, state, zip, position } = place;
  const address: Address = city ? { streetAddress, city, state, zip } : { ...addressOf(town), streetAddress };
  return {
    id: `${keyOf(town)}_${type}-${id}`,
    ...placeTexts[language](name),
    ...{
      difficulty: 'Easy',
      placeCategory: placeCategoryOfType[type],
      points: pointsByDifficulty.Easy,
      locationName: name,
    },
    ...address,
    position,
  };
}

interface Sources {
  gazetteer: () => Promise<Gazetteer>;
  nearestOfTypes: Places['nearestOfTypes'];
}

/** Challenges that are suggested where nobody has created any. */
export interface Suggestions {
  /**
   * Suggestions around the center of the nearest town.
   *
   * @returns The nearest first; none farther than 30 km from any town. `isComplete`: whether no external server was
   * unavailable.
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
      const town = (await gazetteer()).townAt(at);
      if (!town) return { suggestions: [], isComplete: true };
      const { atPlaces, isComplete } = await atPlacesOf(town, language);
      const suggestions = [
        ...templates.flatMap((_, index) => suggestionOfTemplate(town, index, language) ?? []),
        ...atPlaces,
      ];
      suggestions.sort((one, other) => kmBetween(one.position, at) - kmBetween(other.position, at));
      return { suggestions, isComplete };
    },

    async get(id: string, language: Language = 'en'): Promise<Suggestion> {
      const [lat = '', lng = ''] = id.split('_');
      const key = id.slice(`${lat}_${lng}_`.length);
      const at = { lat: Number(lat), lng: Number(lng) };
      const isOnEarth = Math.abs(at.lat) <= 90 && Math.abs(at.lng) <= 180;
      const town = isOnEarth ? (await gazetteer()).townAt(at) : undefined;
      if (!town || keyOf(town) !== keyOf(at)) throw new Problem('suggestion-not-found');
      const found = suggestionOfTemplate(
        town,
        templates.findIndex((template) => template.key === key),
        language,
      );
      if (found) return found;
      if (!placeTypes.some((type) => key.startsWith(`${type}-`))) throw new Problem('suggestion-not-found');
      const { atPlaces, atKnownPlaces, isComplete } = await atPlacesOf(town, language);
      // One that was listed while the external server was unavailable can be joined later.
      const suggestion = [...atPlaces, ...atKnownPlaces].find((each) => each.id === id);
      if (!suggestion) throw new Problem(isComplete ? 'suggestion-not-found' : 'places-unavailable');
      return suggestion;
    },
  };
}
