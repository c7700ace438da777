import type { Address } from '@wayquest/contracts';

/**
 * Splits an address of the form 'street, city, state zip' (spec, section 5) from the right, without a country after it.
 * Another form remains a line.
 */
export function splitAddress(line: string): Address {
  const parts = line.split(',').map((part) => part.trim());
  const endsInState = (part = '') => /^[A-Z]{2}( \d{5}(-\d{4})?)?$/.test(part);
  if (parts.length > 1 && !endsInState(parts.at(-1)) && endsInState(parts.at(-2))) parts.pop();
  if (!endsInState(parts.at(-1))) return { streetAddress: '', city: '', state: '', zip: '' };
  const [state = '', zip = ''] = parts.pop()?.split(' ') ?? [];
  const city = parts.pop() ?? '';
  return { streetAddress: parts.join(', '), city, state, zip };
}
