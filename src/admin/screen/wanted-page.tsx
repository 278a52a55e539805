/** What was asked for before signing in, and is opened after it. */
import { useLayoutEffect, useState } from 'react';
import { Redirect } from 'wouter';
import { forget, recall, remember } from '../../platform/browser/session-storage.ts';
import { type Reader, text } from '../../platform/read.ts';
import { STAFF_PAGES, STAFF_PATHS } from '../staff-pages.ts';

const WANTED = 'staff_page_wanted';
/** Any other address would lead out of this document. */
const readWanted: Reader<string> = (value) => {
  const wanted = text(value);
  return STAFF_PATHS.includes(wanted?.split('?')[0] ?? '') ? wanted : undefined;
};

export function SignInFirst({ wanted }: { wanted: string }) {
  useLayoutEffect(() => remember(WANTED, wanted), [wanted]);
  return <Redirect replace href={STAFF_PAGES.signIn.path} />;
}

/** To what was asked for before signing in, else to the inbox. */
export function GoOn() {
  const [wanted] = useState(() => recall(WANTED, readWanted));
  useLayoutEffect(() => forget(WANTED), []);
  return <Redirect replace href={wanted ?? STAFF_PAGES.inbox.path} />;
}
