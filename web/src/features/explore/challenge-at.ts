import type { Address, Position } from '@wayquest/contracts';
import type { MapForm } from './form.ts';

/** Where the challenge is to be: what is known of it. */
export interface Spot extends Address {
  position: Position;
  locationName: string;
}

const required = ['name', 'startDate', 'endDate', 'difficulty'] as const;

/** The form may be sent once these are filled (spec, section 5); the server says the rest. */
export const isComplete = (form: MapForm) => required.every((field) => form[field].trim() !== '');

/**
 * A challenge as the form and its spot describe it; its points come from its difficulty. Where the address was asked
 * for, what the person wrote counts before what is known.
 */
export function challengeAt(spot: Spot, form: MapForm, asked: boolean) {
  const { name, description, startDate, endDate, difficulty } = form;
  const told = (part: keyof Address) => (asked && form[part].trim()) || spot[part];
  const streetAddress = told('streetAddress');
  return {
    name,
    description,
    startDate,
    endDate,
    difficulty,
    position: spot.position,
    locationName: spot.locationName || streetAddress,
    streetAddress,
    city: told('city'),
    state: told('state'),
    zip: told('zip'),
  };
}
