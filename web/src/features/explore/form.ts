import type { Scene } from '@wayquest/contracts';

/** The values of the form on the map, as text. The address is only typed where it is not known. */
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
