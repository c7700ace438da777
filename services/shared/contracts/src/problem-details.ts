import { z } from 'zod';
import { type ProblemCode, problems } from './problems.ts';

const codes = Object.keys(problems) as [ProblemCode, ...ProblemCode[]];

/** An error's body, `application/problem+json` (RFC 9457). */
export const ProblemDetails = z
  .object({
    type: z.string().meta({ description: 'urn:wayquest:problem:<code>' }),
    title: z.string(),
    status: z.int(),
    detail: z.string().optional(),
    code: z.enum(codes),
    requestId: z.string().optional(),
    errors: z
      .array(z.object({ field: z.string(), reason: z.string() }))
      .optional()
      .meta({ description: 'For invalid-request: each invalid field and the reason.' }),
  })
  .meta({ id: 'ProblemDetails' });
export type ProblemDetails = z.infer<typeof ProblemDetails>;
