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
  /** Whether street and state are required; false once a place is chosen whose address has no state. */
  needsFullAddress: boolean;
}

export const emptyForm: ChallengeForm = {
  ...emptyFields,
  ...emptyAddress,
  points: '',
  locationName: '',
  position: '',
  needsFullAddress: true,
};

/** Returns the form's values for an existing challenge. */
export const formOf = (challenge: Challenge): ChallengeForm => {
  const { points, locationName, streetAddress, city, state, zip } = challenge;
  return {
    ...formFieldsOf(challenge, placeCategoryByWords(challenge)),
    ...{ locationName, streetAddress, city, state, zip, position: '' },
    needsFullAddress: false,
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
    needsFullAddress: state !== '',
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
  return { ...form, ...Object.fromEntries(changes), needsFullAddress: address.state !== '' };
}

/** An address without a street or state may contain a dash instead. */
const withoutDash = (text: string) => (/^[-–—]$/.test(text.trim()) ? '' : text);

/** The challenge that the form describes. */
export const newChallengeOf = ({ position, needsFullAddress, ...form }: ChallengeForm) => {
  const found = readPosition(position);
  return {
    ...form,
    streetAddress: withoutDash(form.streetAddress),
    state: withoutDash(form.state),
    position: found,
    checkInRequired: form.checkInRequired && found !== null,
  };
};

const ownFields = ['name', 'difficulty', 'points'] as const;
const placeFields = ['locationName', 'streetAddress', 'city', 'state'] as const;

/** A field that may have to be filled. */
export type RequiredField = (typeof ownFields)[number] | (typeof placeFields)[number];

/** Whether a field has to be filled in a new challenge; the server validates the rest. */
export const isRequired = ({ needsFullAddress }: ChallengeForm, field: RequiredField) =>
  needsFullAddress || (field !== 'streetAddress' && field !== 'state');

const emptyOf = (form: ChallengeForm, fields: readonly RequiredField[]) =>
  fields.filter((field) => isRequired(form, field) && form[field].trim() === '');

/** The required fields of a new challenge that are empty. */
export const missingFields = (form: ChallengeForm) => emptyOf(form, [...ownFields, ...placeFields]);

/** The same for an existing challenge, which has its place. */
export const missingOwnFields = (form: ChallengeForm) => emptyOf(form, ownFields);

/** The key of the draft of a new challenge. */
export const newChallengeDraft = 'new-challenge';
