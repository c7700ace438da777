import type { Address } from '@wayquest/contracts';
import { type EditableFields, emptyAddress, emptyFields } from '../../entities/challenges/form.ts';

/** The values of the map's form, as text. The address is only typed if it is unknown. */
export interface MapForm extends EditableFields, Address {}

export const emptyForm: MapForm = { ...emptyFields, ...emptyAddress };
