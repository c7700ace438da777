import type { Challenge, PlaceCategory, Suggestion } from '@wayquest/contracts';
import { firstThree } from '../src/features/home/first-three.ts';
import { challenge } from './support/fixtures.ts';

const from = { lat: 64.1466, lng: -21.9426 };
const near = (id: number, placeCategory: PlaceCategory, participants = 0): Challenge => ({
  ...{ ...challenge, id, placeCategory, participants, position: from },
});
const far = (id: number, placeCategory: PlaceCategory): Challenge => ({
  ...near(id, placeCategory, 5),
  position: { lat: 64.35, lng: -21.9426 },
});
const suggestion = (key: string, placeCategory: PlaceCategory): Suggestion => ({
  ...{ id: `64.1355_-21.8954_${key}`, name: key, description: '', difficulty: 'Easy', points: 10 },
  ...{ placeCategory, locationName: '', streetAddress: '', city: 'Reykjavík', state: '', zip: '' },
  position: { lat: 64.1355, lng: -21.8954 },
  area: { kind: 'town', radiusMeters: 6_000 },
});

const chosen = (candidates: Partial<Parameters<typeof firstThree>[0]>) => {
  const three = firstThree({ challenges: [], suggestions: [], liked: [], from, ...candidates });
  return {
    shown: [...three.challenges.map(({ id }) => id), ...three.suggestions.map(({ name }) => name)],
    missesInterests: three.missesInterests,
  };
};
const suggestions = [
  suggestion('door', 'house'),
  suggestion('museum', 'museum'),
  suggestion('loop', 'street'),
  suggestion('garden', 'garden'),
];

describe('the first three for a new member', () => {
  it('are challenges before suggestions, those with participants first (53, finding 7)', () => {
    const challenges = [near(1, 'park'), near(2, 'house', 2)];
    expect(chosen({ challenges, suggestions }).shown).toEqual([2, 1, 'door']);
  });

  it('are only filled up with challenges farther away (53, finding 7)', () => {
    const challenges = [near(1, 'park'), far(2, 'house')];
    expect(chosen({ challenges, suggestions }).shown).toEqual([1, 'door', 'museum']);
    expect(chosen({ challenges, suggestions: suggestions.slice(0, 1) }).shown).toEqual([2, 1, 'door']);
  });

  it('are of the kinds that the person likes before others (53, finding 8)', () => {
    const challenges = [near(1, 'park'), near(2, 'house', 2), near(3, 'shop')];
    expect(chosen({ challenges, suggestions, liked: ['museum', 'school'] })).toEqual({
      shown: [2, 1, 'museum'],
      missesInterests: false,
    });
  });

  it('are others if there is none of these kinds, which is said (53, finding 8)', () => {
    expect(chosen({ suggestions, liked: ['cinema', 'stage'] })).toEqual({
      shown: ['door', 'museum', 'loop'],
      missesInterests: true,
    });
  });
});
