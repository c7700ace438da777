import { type Address, type Challenge, type Place, placeCategoryByWords } from '@wayquest/contracts';
import {
  type EditableFields,
  emptyAddress,
  emptyFields,
  formFieldsOf,
} from '../../entities/challenges/editable-fields.ts';
import { formatPosition, readPosition } from '../../shared/lib/query-params.ts';

/** The values of the form's fields, as text. */
export interface ChallengeForm extends EditableFields, Address {
  points: string;
  locationName: string;
  /** On the map: `40.7,-73.8`; '' if unknown. */
  position: string;
}

export const emptyForm: ChallengeForm = {
  ...emptyFields,
  ...emptyAddress,
  points: '',
  locationName: '',
  position: '',
};

/** Returns the form's values for an existing challenge. */
export const formOf = (challenge: Challenge): ChallengeForm => {
  const { points, locationName, streetAddress, city, state, zip } = challenge;
  return {
    ...formFieldsOf(challenge, placeCategoryByWords(challenge)),
    ...{ locationName, streetAddress, city, state, zip, position: '' },
    points: String(points),
  };
};

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
    position: found ? formatPosition(position) : '',
  };
}

/** The fields of an address. */
export const addressFields = ['streetAddress', 'city', 'state', 'zip'] as const;

/**
 * Fills the address of a position on the map into the form, except where the person typed something.
 *
 * @param autofilled - What was filled in before.
 */
export function withAddress(
  form: ChallengeForm,
  address: Address,
  autofilled: Partial<Address>,
): ChallengeForm {
  const known = { ...address, streetAddress: address.streetAddress || form.locationName.trim() };
  const isTyped = (field: keyof Address) => form[field] !== '' && form[field] !== autofilled[field];
  const changes = addressFields.filter((field) => !isTyped(field)).map((field) => [field, known[field]]);
  return { ...form, ...Object.fromEntries(changes) };
}

/** The challenge that the form describes. */
export const newChallengeOf = ({ position, ...form }: ChallengeForm) => {
  const found = readPosition(position);
  return { ...form, position: found, checkInRequired: form.checkInRequired && found !== null };
};

const requiredFields = ['name', 'points', 'difficulty'] as const;
const requiredWithAddress = [...requiredFields, 'locationName', 'streetAddress', 'city', 'state'] as const;

/** Whether all required fields are filled; the server validates the rest. */
export const isComplete = (form: ChallengeForm) =>
  requiredWithAddress.every((field) => form[field].trim() !== '');

/** The same for an existing challenge, which has its place. */
export const areRequiredFieldsFilled = (form: ChallengeForm) =>
  requiredFields.every((field) => form[field].trim() !== '');

/** The key of the draft of a new challenge. */
export const newChallengeDraft = 'new-challenge';
