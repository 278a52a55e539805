/** What a browser reports when a component or script fails, without what a person typed. */
import * as z from 'zod/mini';
import { withoutToken } from '../routes.ts';
import { contract } from './contract.ts';
import { fetchCall } from './fetch-call.ts';

export const REPORT_FAILURE = contract('POST /api/page-failures', {
  body: z.strictObject({
    kind: z.enum(['part', 'script']),
    /** The path without query and fragment. A quote's path, which ends in a secret, is refused. */
    page: z.string().check(z.maxLength(100), z.regex(/^\/(?!quote\/)[a-z0-9/-]*$/)),
    /** The name of the error's class. */
    error: z.string().check(z.maxLength(40), z.regex(/^\w*$/)),
    /** Where in the built script: 'home-page-3fA.js:1:204'. */
    place: z.string().check(z.maxLength(100), z.regex(/^[\w.-]*(:\d+)*$/)),
  }),
  answer: z.null(),
});

const reported = new Set<string>();

/** Reports to the server's log that a component of this page failed, at most once per page. */
export function reportFailedPart(cause: unknown): void {
  const path = withoutToken(window.location.pathname);
  const page = /^\/[a-z0-9/-]{0,99}$/.test(path) ? path : '/';
  if (reported.has(page)) return;
  reported.add(page);
  const { name, stack = '' } = cause instanceof Error ? cause : new Error();
  const [, place = ''] = /\/assets\/([\w.-]{1,80}:\d{1,6}:\d{1,8})/.exec(stack) ?? [];
  const error = name.replace(/\W/g, '').slice(0, 40);
  fetchCall(REPORT_FAILURE, { body: { kind: 'part', page, error, place } }).catch(() => undefined);
}
