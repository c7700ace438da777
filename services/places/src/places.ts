import type { OperationAnswer, OperationRequest, Operations, Place } from '@wayquest/contracts';

type Query<Name extends 'searchPlaces' | 'reversePlace' | 'nearbyPlaces'> = OperationRequest<
  Operations[Name]
>['query'];

const flushing = { city: 'Flushing', state: 'NY' };

const known: Place[] = [
  {
    ...flushing,
    id: 'zip-11354',
    name: 'Flushing, NY 11354',
    type: null,
    vicinity: 'Flushing, NY 11354',
    streetAddress: '',
    zip: '11354',
    position: { lat: 40.7684, lng: -73.8275 },
  },
  {
    ...flushing,
    id: 'queens-public-library-at-flushing',
    name: 'Queens Public Library at Flushing',
    type: 'library',
    vicinity: '41-17 Main St, Flushing',
    streetAddress: '41-17 Main St',
    zip: '11355',
    position: { lat: 40.7579, lng: -73.8289 },
  },
  {
    ...flushing,
    id: 'kissena-park',
    name: 'Kissena Park',
    type: 'park',
    vicinity: '164 St & Underhill Ave, Flushing',
    streetAddress: '164 St & Underhill Ave',
    zip: '11365',
    position: { lat: 40.7443, lng: -73.8087 },
  },
];

/** What is asked of places, in the words of the domain. */
export const createPlaces = () => ({
  search({ text }: Query<'searchPlaces'>): Place[] {
    return known.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
  },

  reverse(_query: Query<'reversePlace'>): OperationAnswer<Operations['reversePlace']> {
    return { ...flushing, streetAddress: '', zip: '11354', label: 'Flushing, NY 11354' };
  },

  nearby({ type }: Query<'nearbyPlaces'>): Place[] {
    return known.filter((place) => place.type === type);
  },
});

export type Places = ReturnType<typeof createPlaces>;
