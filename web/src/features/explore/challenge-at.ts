import {
  type Address,
  type NewChallenge,
  type PlaceCategory,
  type PlaceType,
  type Position,
  placeCategoryByWords,
  placeCategoryOfType,
} from '@wayquest/contracts';
import { sentFieldsOf } from '../../entities/challenges/editable-fields.ts';
import type { MapForm } from './slice.ts';

/** Details of the selected place. */
export interface PlaceDetails extends Address {
  position: Position;
  locationName: string;
  /** Of the chosen place, if there is one. */
  type?: PlaceType | null;
}

/** The kind of place, as far as it is known. */
export const guessPlaceCategory = ({ type, locationName }: PlaceDetails, { name }: MapForm): PlaceCategory =>
  type ? placeCategoryOfType[type] : placeCategoryByWords({ name, locationName });

const required = ['name', 'startDate', 'endDate', 'difficulty'] as const;

/** Those of the required fields (spec, section 5) that are empty; the server validates the rest. */
export const missingFields = (form: MapForm) => required.filter((field) => form[field].trim() === '');

/**
 * A challenge as the form and its spot describe it; its points come from its difficulty. In manual mode typed address
 * fields take precedence.
 */
export function challengeAt(spot: PlaceDetails, form: MapForm, isManual: boolean) {
  const chosen = (part: keyof Address) => (isManual && form[part].trim()) || spot[part];
  const streetAddress = chosen('streetAddress');
  return {
    ...sentFieldsOf(form),
    placeCategory: form.placeCategory || guessPlaceCategory(spot, form),
    position: spot.position,
    locationName: spot.locationName || streetAddress,
    streetAddress,
    city: chosen('city'),
    state: chosen('state'),
    zip: chosen('zip'),
  } satisfies Record<Exclude<keyof NewChallenge, 'points' | 'timeZone'>, unknown>;
}
