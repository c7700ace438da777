import { z } from 'zod';
import { operation } from './operation.ts';
import { audiences } from './values.ts';

export const Audience = z.enum(audiences).meta({ id: 'Audience' });
export type Audience = z.infer<typeof Audience>;

/** Privacy settings. Username, picture and points are always public. */
export const Privacy = z
  .object({
    name: Audience.meta({ description: 'First and last name, also for being found by them' }),
    town: Audience.meta({
      description: 'City and state; only people who show them to everybody are in a town’s leaderboard',
    }),
    participation: Audience.meta({ description: 'Joined and completed challenges, and the trail book' }),
    requests: z.boolean().meta({ description: 'Others may send friend requests' }),
    leaderboards: z.boolean().meta({ description: 'Others see the person in leaderboards' }),
    presence: z.boolean().meta({ description: 'Friends see that the person is online' }),
  })
  .meta({ id: 'Privacy' });
export type Privacy = z.infer<typeof Privacy>;

/** Default privacy settings: everything is public. */
export const defaultPrivacy: Privacy = {
  ...{ name: 'everybody', town: 'everybody', participation: 'everybody' },
  ...{ requests: true, leaderboards: true, presence: true },
};

export const privacyOperations = {
  getPrivacy: operation({
    service: 'users',
    method: 'GET',
    path: '/api/privacy',
    access: 'member',
    summary: 'Get the caller’s privacy settings; everything is shown by default',
    status: [200],
    response: Privacy,
    problems: ['unauthenticated'],
  }),
  updatePrivacy: operation({
    service: 'users',
    method: 'PUT',
    path: '/api/privacy',
    access: 'member',
    summary: 'Change the caller’s privacy settings; they apply within seconds',
    body: Privacy.partial(),
    status: [200],
    response: Privacy,
    problems: ['unauthenticated'],
  }),
};
