import { z } from 'zod';
import { fixedByTheImage } from '../process/settings.ts';

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
      'The server that takes mails, as `smtps://user:secret@mail.example`. Without it each is a file in the folder `mail` of `DATA_DIR`.',
    ),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*@[^\r\n]*$/, 'must be an e-mail address, as Wayquest <wayquest@mail.example>')
    .default('Wayquest <wayquest@localhost>')
    .describe('Who mails are from.'),
  DATA_DIR: z
    .string()
    .default('.data')
    .meta({ ...fixedByTheImage, description: 'The folder that holds what is kept in files.' }),
});
