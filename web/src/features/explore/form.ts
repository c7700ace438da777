import type { NewChallengeBody } from '../challenges/form.ts';

/** What the form on the map holds: text, as its controls do. The address is asked for only where it is not known. */
export interface MapForm {
  name: string;
  startDate: string;
  endDate: string;
  difficulty: string;
  streetAddress: string;
  city: string;
  state: string;
  zip: string;
}

export const emptyForm: MapForm = {
  name: '',
  startDate: '',
  endDate: '',
  difficulty: '',
  streetAddress: '',
  city: '',
  state: '',
  zip: '',
};

/** Where the challenge is to be: what is known of it. */
export type Spot = Required<
  Pick<NewChallengeBody, 'position' | 'locationName' | 'streetAddress' | 'city' | 'state' | 'zip'>
>;

const required = ['name', 'startDate', 'endDate', 'difficulty'] as const;

/** The form may be sent once these are filled (spec, section 5); the server says the rest. */
export const isComplete = (form: MapForm) => required.every((field) => form[field].trim() !== '');

/** A challenge as the form and its spot describe it; its points come from its difficulty. */
export const challengeAt = (spot: Spot, { name, startDate, endDate, difficulty, ...asked }: MapForm) => ({
  name,
  startDate,
  endDate,
  difficulty,
  ...spot,
  ...(spot.city === '' && asked),
});
