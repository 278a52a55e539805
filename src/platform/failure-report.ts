/** What a visitor's browser says of a part or a script that failed. Nothing in it can hold what a person typed. */
import * as z from 'zod/mini';
import { contract } from './contract.ts';

export const REPORT_FAILURE = contract('POST /api/page-failures', {
  body: z.strictObject({
    kind: z.enum(['part', 'script']),
    /** The address without query and fragment; a quote's token is no part of it. */
    page: z.string().check(z.maxLength(100), z.regex(/^\/(?!quote\/)[a-z0-9/-]*$/)),
    /** The name of the error's class. */
    error: z.string().check(z.maxLength(40), z.regex(/^\w*$/)),
    /** The place in the built script, such as 'home-page-3fA.js:1:204'. */
    place: z.string().check(z.maxLength(100), z.regex(/^[\w.-]*(:\d+)*$/)),
  }),
  answer: z.null(),
});
