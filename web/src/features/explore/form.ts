import type { Scene } from '@wayquest/contracts';

/** What the form on the map holds: text, as its controls do. The address is asked for only where it is not known. */
export interface MapForm {
  name: string;
  description: string;
  startDate: string;
  endDate: string;
  difficulty: string;
  /** The kind of place; '' is what is guessed. */
  scene: Scene | '';
  checkInAsked: boolean;
  streetAddress: string;
  city: string;
  state: string;
  zip: string;
}

export const emptyForm: MapForm = {
  name: '',
  description: '',
  startDate: '',
  endDate: '',
  difficulty: '',
  scene: '',
  checkInAsked: false,
  streetAddress: '',
  city: '',
  state: '',
  zip: '',
};
