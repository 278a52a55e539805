/** What a visitor's browser says of a part or a script that failed. Nothing in it can hold what a person typed. */
import * as z from 'zod/mini';
import { contract } from './contract.ts';
import { fetchCall } from './fetch-call.ts';

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

const reported = new Set<string>();

/** Has the server's log say that a part of this page has failed, once for each page. */
export function reportFailedPart(cause: unknown): void {
  const path = window.location.pathname.replace(/^\/quote\/.*/, '/quote');
  const page = /^\/[a-z0-9/-]{0,99}$/.test(path) ? path : '/';
  if (reported.has(page)) return;
  reported.add(page);
  const { name, stack = '' } = cause instanceof Error ? cause : new Error();
  const [, place = ''] = /\/assets\/([\w.-]{1,80}:\d{1,6}:\d{1,8})/.exec(stack) ?? [];
  const error = name.replace(/\W/g, '').slice(0, 40);
  fetchCall(REPORT_FAILURE, { body: { kind: 'part', page, error, place } }).catch(() => undefined);
}
