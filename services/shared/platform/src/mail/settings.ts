import { z } from 'zod';
import { setByImage } from '../process/settings.ts';

/** Settings of services that send e-mails. */
export const mailSettings = z.object({
  SMTP_URL: z
    .url({
      protocol: /^smtps?$/,
      hostname: /./,
      error: 'must be an address like smtps://user:secret@mail.example',
    })
    .optional()
    .describe(
      'The mail server, as `smtps://user:secret@mail.example`. Without it, each mail is written to a file in `DATA_DIR/mail`.',
    ),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*@[^\r\n]*$/, 'must be an e-mail address, as Wayquest <wayquest@mail.example>')
    .default('Wayquest <wayquest@localhost>')
    .describe('The sender of mails.'),
  DATA_DIR: z
    .string()
    .default('.data')
    .meta({ ...setByImage, description: 'The directory for files.' }),
});
