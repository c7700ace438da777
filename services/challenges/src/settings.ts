import { z } from 'zod';

/** What the challenges service is told, beside what every service is: nothing. */
export const settings = z.object({});
