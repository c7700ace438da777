import { z } from 'zod';
import { operation } from './operation.ts';

/** To whom somebody shows something of theirs, the fewest first; also who a reader is to them. */
export const audiences = ['me', 'friends', 'everybody'] as const;
export const Audience = z.enum(audiences).meta({ id: 'Audience' });
export type Audience = z.infer<typeof Audience>;

/** Whether what is shown to an audience is shown to a reader: the one rule of all that people keep to themselves. */
export const isShownTo = (shownTo: Audience, reader: Audience): boolean =>
  audiences.indexOf(reader) <= audiences.indexOf(shownTo);

/** What a person lets others see and do. A username, a picture and points are everybody's to see. */
export const Privacy = z
  .object({
    name: Audience.meta({ description: 'First and last name, also to be found by them' }),
    town: Audience.meta({
      description: 'City and state; on the boards of a town only who shows it to everybody',
    }),
    participation: Audience.meta({ description: 'What one joined and completed, and the trail book' }),
    requests: z.boolean().meta({ description: 'Others may ask to be friends' }),
    boards: z.boolean().meta({ description: 'Others see one on the boards' }),
    presence: z.boolean().meta({ description: 'Friends see that one is online' }),
  })
  .meta({ id: 'Privacy' });
export type Privacy = z.infer<typeof Privacy>;

/** Of who has not chosen. */
export const openPrivacy: Privacy = {
  ...{ name: 'everybody', town: 'everybody', participation: 'everybody' },
  ...{ requests: true, boards: true, presence: true },
};

export const privacyOperations = {
  getPrivacy: operation({
    service: 'users',
    method: 'GET',
    path: '/api/privacy',
    access: 'member',
    summary: 'What the caller lets others see and do; everything at first',
    status: [200],
    answer: Privacy,
    problems: ['unauthenticated'],
  }),
  updatePrivacy: operation({
    service: 'users',
    method: 'PUT',
    path: '/api/privacy',
    access: 'member',
    summary: 'Change what the caller lets others see and do; others hear of it within seconds',
    body: Privacy.partial(),
    status: [200],
    answer: Privacy,
    problems: ['unauthenticated'],
  }),
};
