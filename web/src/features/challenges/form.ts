import { type Challenge, type Place, type Scene, sceneByWords } from '@wayquest/contracts';

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
  startDate: string;
  endDate: string;
  difficulty: string;
  /** The kind of place; '' for the guessed one. */
  scene: Scene | '';
  /** Whether a check-in is required; only for a challenge with a position. */
  checkInAsked: boolean;
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
  startDate: '',
  endDate: '',
  difficulty: '',
  scene: '',
  checkInAsked: false,
};

/** Returns the form's values for an existing challenge. */
export const formOf = (challenge: Challenge): ChallengeForm => {
  const { checkInAsked = false } = challenge;
  const { name, description, points, locationName, streetAddress, city, state, zip, difficulty } = challenge;
  const days = { startDate: challenge.startDate ?? '', endDate: challenge.endDate ?? '' };
  const place = { locationName, streetAddress, city, state, zip };
  const scene = challenge.scene === sceneByWords(challenge) ? '' : (challenge.scene ?? '');
  return { name, description, points: String(points), ...place, ...days, difficulty, scene, checkInAsked };
};

/** Fills a found place into the form; each field can be changed. */
export const withPlace = (
  form: ChallengeForm,
  { name, streetAddress, city, state, zip }: Place,
): ChallengeForm => ({ ...form, locationName: name, streetAddress, city, state, zip });

const worded = ['name', 'points', 'difficulty'] as const;
const required = [...worded, 'locationName', 'streetAddress', 'city', 'state'] as const;

/** Whether all required fields are filled; the server validates the rest. */
export const isComplete = (form: ChallengeForm) => required.every((field) => form[field].trim() !== '');

/** The same for an existing challenge, which has its place. */
export const isWorded = (form: ChallengeForm) => worded.every((field) => form[field].trim() !== '');
