import { z } from 'zod';
import { Position } from './geography.ts';
import { placeCategories } from './place-categories.ts';
import { difficulties } from './values.ts';

/** The languages of suggestions, which are those of the web app. */
export const Language = z.enum(['en', 'zh']).meta({ description: 'Language of the texts; default: en.' });
export type Language = z.infer<typeof Language>;

/** Town center and key of the suggestion: `52.5244_13.4105_loop`. */
export const SuggestionId = z.string().regex(/^-?\d{1,2}\.\d{4}_-?\d{1,3}\.\d{4}_[\w-]{1,100}$/, {
  error: 'must be the id of a suggestion',
});

/** A challenge that nobody has created yet. The same for everybody: it depends on its town only. */
export const Suggestion = z
  .object({
    id: SuggestionId,
    name: z.string(),
    description: z.string(),
    difficulty: z.enum(difficulties),
    points: z.int(),
    placeCategory: z.enum(placeCategories),
    locationName: z.string(),
    streetAddress: z.string(),
    city: z.string(),
    state: z.string(),
    zip: z.string(),
    position: Position,
  })
  .meta({ id: 'Suggestion' });
export type Suggestion = z.infer<typeof Suggestion>;
