import { REPORT_FAILURE } from '../failure-report.ts';
import { fetchCall } from '../fetch-call.ts';

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
