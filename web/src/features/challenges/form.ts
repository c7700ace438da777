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
};

const required = ['name', 'points', 'locationName', 'streetAddress', 'city', 'state', 'difficulty'] as const;

/** The form may be sent once these are filled; the server says the rest. */
export const isComplete = (form: ChallengeForm) => required.every((field) => form[field].trim() !== '');
