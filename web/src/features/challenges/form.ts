import { type Challenge, type Place, type Scene, sceneByWords } from '@wayquest/contracts';

/** What the form holds: text, as its controls do. */
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
  /** The kind of place; '' is what its words say. */
  scene: Scene | '';
  /** Where it is on the map. */
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

/** A challenge as its maker finds it in the form. */
export const formOf = (challenge: Challenge): ChallengeForm => {
  const { checkInAsked = false } = challenge;
  const { name, description, points, locationName, streetAddress, city, state, zip, difficulty } = challenge;
  const days = { startDate: challenge.startDate ?? '', endDate: challenge.endDate ?? '' };
  const place = { locationName, streetAddress, city, state, zip };
  const scene = challenge.scene === sceneByWords(challenge) ? '' : (challenge.scene ?? '');
  return { name, description, points: String(points), ...place, ...days, difficulty, scene, checkInAsked };
};

/** The form filled in with a found place; each field can be changed. */
export const withPlace = (
  form: ChallengeForm,
  { name, streetAddress, city, state, zip }: Place,
): ChallengeForm => ({ ...form, locationName: name, streetAddress, city, state, zip });

const worded = ['name', 'points', 'difficulty'] as const;
const required = [...worded, 'locationName', 'streetAddress', 'city', 'state'] as const;

/** The form may be sent once these are filled; the server says the rest. */
export const isComplete = (form: ChallengeForm) => required.every((field) => form[field].trim() !== '');

/** The same for a challenge that is there: it has its place. */
export const isWorded = (form: ChallengeForm) => worded.every((field) => form[field].trim() !== '');
