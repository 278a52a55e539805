/** The sign-in page's way to the company's OpenID provider, and what came of it. */
import { useSearch } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import * as z from 'zod/mini';
import { sessionStore } from '../platform/browser/browser-storage.ts';
import { callUrl } from '../platform/contract.ts';
import {
  OIDC_SIGN_IN,
  OIDC_SIGN_OUT,
  type SignInMethods,
  type WorkOutcome,
} from '../staff/staff-api.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

const SENTENCES: Record<Exclude<WorkOutcome, 'in'>, string> = {
  out: 'You are signed out here, but not of your work account.',
  // Okta sends the same for somebody who is not assigned to the app.
  canceled:
    'You canceled the sign-in, or your company’s sign-in service doesn’t let you into this site. ' +
    'Try again, or ask your administrator for access.',
  'not-allowed': 'Your work account has no access to this site. Ask your administrator for it.',
  'too-many-groups':
    'You are in so many groups that your company’s sign-in service leaves them out. ' +
    'Ask your administrator to let people in by app roles instead.',
  blocked: 'Your account is blocked here. A colleague can unblock it on the account page.',
  unavailable:
    'Your company’s sign-in service can’t be reached. Please try again in a few minutes.',
  clock:
    'The clocks of this site and of your company’s sign-in service differ too much. ' +
    'Ask your administrator to check them.',
  secret:
    'Your company’s sign-in service doesn’t accept this site’s secret, which may have expired. ' +
    'Ask your administrator to renew it.',
  lost: 'This sign-in took too long, or was started in another browser. Please start again.',
  used: 'This sign-in has already been used. Please start again.',
  failed:
    'This site couldn’t accept the answer of your company’s sign-in service. ' +
    'The server’s log says why, and npm run doctor looks for the cause.',
};
/** Those who may want to sign in with another work account. */
const LEAVING: readonly string[] = ['out', 'not-allowed', 'too-many-groups', 'blocked'];

const isOutcome = (text: string | null): text is keyof typeof SENTENCES =>
  text !== null && Object.hasOwn(SENTENCES, text);

/** How the sign-in at the provider ended that led to this address, if one did. */
function workOutcome(search: string): WorkOutcome | null {
  const outcome = new URLSearchParams(search).get('work');
  return outcome === 'in' || isOutcome(outcome) ? outcome : null;
}

export function WorkSignIn({ methods: { password, work } }: { methods: SignInMethods }) {
  const outcome = workOutcome(useSearch());
  const returnTo = useHistoryState<unknown>();
  return (
    <div className="mt-6 grid gap-6">
      {outcome && outcome !== 'in' && (
        <Notice kind={outcome === 'out' || outcome === 'canceled' ? 'info' : 'error'}>
          <span>{`${SENTENCES[outcome]}${outcome === 'unavailable' && password ? ' Or sign in with the password.' : ''}`}</span>
          {work?.canSignOut && LEAVING.includes(outcome) && (
            <a href={callUrl(OIDC_SIGN_OUT)} className="mt-1 block font-medium underline">
              Sign out of your work account
            </a>
          )}
        </Notice>
      )}
      <ButtonLink
        href={callUrl(OIDC_SIGN_IN)}
        size="large"
        onClick={() => sessionStore.set(RETURN_TO, returnTo)}
      >
        Sign in with your work account
      </ButtonLink>
      {password && <p className="-mb-1 text-sm text-muted">Or with the password:</p>}
    </div>
  );
}

const RETURN_TO = 'page-before-work-sign-in';

/** The page that was requested before the sign-in at the provider. Only this tab can set it. */
export function usePageBeforeWork(): string | null {
  const isBack = workOutcome(useSearch()) === 'in';
  return isBack ? sessionStore.get(RETURN_TO, z.string()) : null;
}
