import { z } from 'zod';

/** An origin, or all of a name's: `https://*.push.apple.com`. */
const ServiceOrigin = z
  .string()
  .trim()
  .regex(
    /^https?:\/\/(\*\.)?[a-z\d.-]+(:\d{1,5})?$/,
    'must be addresses like https://push.example or https://*.push.example',
  );

/** Those of Chrome, Firefox, Safari and Edge. */
const pushServices = [
  'https://fcm.googleapis.com',
  'https://updates.push.services.mozilla.com',
  'https://*.push.apple.com',
  'https://*.notify.windows.com',
].join(',');

/** The service's own settings, beside the platform's. */
export const settings = z.object({
  PUSH_SERVICES: z
    .string()
    .default(pushServices)
    .transform((list) => list.split(','))
    .pipe(z.array(ServiceOrigin))
    .describe(
      'The allowed push services: their origins, separated by commas; `*.` stands for any subdomain.',
    ),
  PUSH_CONTACT: z
    .string()
    .regex(
      /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/,
      'must be mailto: with an e-mail address, or an https:// address',
    )
    .default('mailto:wayquest@localhost.localdomain')
    .describe(
      'How operators of push services can contact you: `mailto:…` or `https://…` (RFC 8292, section 2.1).',
    ),
});
