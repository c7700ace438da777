import type { RegistrationMode } from '@wayquest/contracts';

const modes = ['open', 'approval', 'invitation', 'closed'] as const satisfies readonly RegistrationMode[];

/**
 * Who can create an account, as the gateway wrote it into the page; undefined if it did not know. It may be outdated, but is known
 * without a request, so that nothing moves when the response arrives.
 */
export const pageRegistration = (): RegistrationMode | undefined =>
  import.meta.env.SSR
    ? undefined
    : modes.find((mode) => mode === document.documentElement.dataset.registration);
