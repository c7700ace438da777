import type { Challenge, ChallengeUpdate, PlaceCategory } from '@wayquest/contracts';

/** Fields whose controls are in `ChallengeOptions`, the same in every form. */
export interface OptionalFields {
  /** Whether a check-in is required; only for a challenge with a position. */
  checkInRequired: boolean;
}

/** The fields that a challenge's creator can change, in every form: text, except for choices. */
export interface EditableFields extends OptionalFields {
  name: string;
  description: string;
  startDate: string;
  endDate: string;
  difficulty: string;
  /** The kind of place; '' for the guessed one. */
  placeCategory: PlaceCategory | '';
}

/** Of a new challenge. */
export const emptyFields: EditableFields = {
  name: '',
  description: '',
  startDate: '',
  endDate: '',
  difficulty: '',
  placeCategory: '',
  checkInRequired: false,
};

export const emptyAddress = { streetAddress: '', city: '', state: '', zip: '' };

/**
 * The fields of an existing challenge, as a form shows them.
 *
 * @param guessedCategory - The kind of place by its texts. Given, since the map's first load is without their words.
 */
export const formFieldsOf = (challenge: Challenge, guessedCategory: PlaceCategory): EditableFields => ({
  name: challenge.name,
  description: challenge.description,
  startDate: challenge.startDate ?? '',
  endDate: challenge.endDate ?? '',
  difficulty: challenge.difficulty,
  placeCategory: challenge.placeCategory === guessedCategory ? '' : (challenge.placeCategory ?? ''),
  checkInRequired: challenge.checkInRequired ?? false,
});

/** The fields that are sent; one that is missing here is a type error. Each form adds the points in its own way. */
export const sentFieldsOf = (fields: EditableFields | Challenge) =>
  ({
    name: fields.name,
    description: fields.description,
    startDate: fields.startDate,
    endDate: fields.endDate,
    difficulty: fields.difficulty,
    placeCategory: fields.placeCategory,
    checkInRequired: fields.checkInRequired,
  }) satisfies Record<Exclude<keyof ChallengeUpdate, 'points'>, unknown>;
