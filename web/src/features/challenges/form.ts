import {
  type Address,
  type Challenge,
  type Place,
  type PlaceCategory,
  type Position,
  placeCategoryByWords,
} from '@wayquest/contracts';
import { readPosition } from '../../shared/lib/query-params.ts';

/** The values of the form's fields, as text. */
export interface ChallengeForm {
  name: string;
  description: string;
  points: string;
  locationName: string;
  streetAddress: string;
  city: string;
  state: string;
  zip: string;
  /** On the map: `40.7,-73.8`; '' if unknown. */
  position: string;
  startDate: string;
  endDate: string;
  difficulty: string;
  /** The kind of place; '' for the guessed one. */
  placeCategory: PlaceCategory | '';
  /** Whether a check-in is requiredWithAddress; only for a challenge with a position. */
  checkInRequired: boolean;
}

export const emptyForm: ChallengeForm = {
  name: '',
  description: '',
  points: '',
  locationName: '',
  streetAddress: '',
  city: '',
  state: '',
  zip: '',
  position: '',
  startDate: '',
  endDate: '',
  difficulty: '',
  placeCategory: '',
  checkInRequired: false,
};

/** Returns the form's values for an existing challenge. */
export const formOf = (challenge: Challenge): ChallengeForm => {
  const { checkInRequired = false } = challenge;
  const { name, description, points, locationName, streetAddress, city, state, zip, difficulty } = challenge;
  const days = { startDate: challenge.startDate ?? '', endDate: challenge.endDate ?? '' };
  const place = { locationName, streetAddress, city, state, zip, position: '' };
  const placeCategory =
    challenge.placeCategory === placeCategoryByWords(challenge) ? '' : (challenge.placeCategory ?? '');
  return {
    name,
    description,
    points: String(points),
    ...place,
    ...days,
    difficulty,
    placeCategory,
    checkInRequired,
  };
};

export const writePosition = ({ lat, lng }: Position): string => `${lat},${lng}`;

/** Whether a search found a place; the center of a town or a postal code is no place to go to. */
const isPlace = ({ type, streetAddress }: Place) => type !== null || streetAddress !== '';

/** Fills a found place into the form; each field can be changed. A place without a street has its name instead. */
export function withPlace(form: ChallengeForm, place: Place): ChallengeForm {
  const { name, city, state, zip, position } = place;
  const found = isPlace(place);
  return {
    ...form,
    ...{ locationName: name, city, state, zip },
    streetAddress: place.streetAddress || (found ? name : ''),
    position: found ? writePosition(position) : '',
  };
}

/** The fields of an address. */
export const addressFields = ['streetAddress', 'city', 'state', 'zip'] as const;

/**
 * Fills the address of a position on the map into the form, except where the person typed something.
 *
 * @param filled - What was filled in before.
 */
export function withAddress(form: ChallengeForm, address: Address, filled: Partial<Address>): ChallengeForm {
  const known = { ...address, streetAddress: address.streetAddress || form.locationName.trim() };
  const isTyped = (field: keyof Address) => form[field] !== '' && form[field] !== filled[field];
  const changes = addressFields.filter((field) => !isTyped(field)).map((field) => [field, known[field]]);
  return { ...form, ...Object.fromEntries(changes) };
}

/** The challenge that the form describes. */
export const newChallengeOf = ({ position, ...form }: ChallengeForm) => ({
  ...form,
  position: readPosition(position),
});

const requiredFields = ['name', 'points', 'difficulty'] as const;
const requiredWithAddress = [...requiredFields, 'locationName', 'streetAddress', 'city', 'state'] as const;

/** Whether all required fields are filled; the server validates the rest. */
export const isComplete = (form: ChallengeForm) =>
  requiredWithAddress.every((field) => form[field].trim() !== '');

/** The same for an existing challenge, which has its place. */
export const areRequiredFieldsFilled = (form: ChallengeForm) =>
  requiredFields.every((field) => form[field].trim() !== '');
