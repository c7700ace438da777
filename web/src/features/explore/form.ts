import type { PlaceCategory } from '@wayquest/contracts';

/** The values of the map's form, as text. The address is only typed if it is unknown. */
export interface MapForm {
  name: string;
  description: string;
  startDate: string;
  endDate: string;
  difficulty: string;
  /** The kind of place; '' for the guessed one. */
  placeCategory: PlaceCategory | '';
  checkInRequired: boolean;
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
  placeCategory: '',
  checkInRequired: false,
  streetAddress: '',
  city: '',
  state: '',
  zip: '',
};
