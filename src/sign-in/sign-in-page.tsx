import { Redirect } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { MAX_PASSWORD } from '../limits.ts';
import { reasonOf } from '../platform/fetch-call.ts';
import { STAFF_PAGES } from '../routes.ts';
import { useLogin } from '../staff/login.tsx';
import { type Credentials, credentials, type SignInMethods } from '../staff/staff-api.ts';
import { CallForm } from '../ui/call-form.tsx';
import { Card } from '../ui/layout.tsx';
import { Notice } from '../ui/notice.tsx';
import { showError } from '../ui/toast/toast.ts';
import { usePageBeforeWork, WorkSignIn } from './work-sign-in.tsx';

/** Phones offer digits, and what a message or the clipboard holds. */
export const CODE_INPUT = {
  autoComplete: 'one-time-code',
  inputMode: 'numeric',
  spellCheck: false,
} as const;

export const PASSWORD_INPUT = {
  type: 'password',
  required: true,
  autoComplete: 'current-password',
  maxLength: MAX_PASSWORD,
} as const;

const CODE_HINT =
  'From your authenticator app, or a recovery code; empty if you have none. A wrong code is answered like a wrong password.';
const CANNOT_REACH = 'Can’t reach the server. Please try again.';

interface SignInPageProps {
  demo: Credentials | null;
  withCode: boolean;
  methods: SignInMethods;
  expired: boolean;
}

export function SignInPage({ demo, methods, withCode, expired }: SignInPageProps) {
  return (
    <div className="mx-auto w-full max-w-md px-5 py-12 sm:py-20">
      <h1 className="text-2xl tracking-[-0.03em]">Staff sign-in</h1>
      <p className="mt-3">Staff only.</p>
      {expired && (
        <div className="mt-6">
          <Notice kind="info">
            Your session has expired. Sign in to pick up where you left off.
          </Notice>
        </div>
      )}
      {methods.work && <WorkSignIn methods={methods} />}
      {methods.password && <PasswordForm withCode={withCode} />}
      {demo && (
        <p className="mt-6 text-sm">
          Demo credentials: <DemoValue>{demo.username}</DemoValue> /{' '}
          <DemoValue>{demo.password}</DemoValue>
        </p>
      )}
    </div>
  );
}

function PasswordForm({ withCode }: Pick<SignInPageProps, 'withCode'>) {
  const { signIn } = useLogin();
  const save = (given: Credentials) =>
    signIn(given).catch((error: unknown) => {
      showError(reasonOf(error, CANNOT_REACH), 'Authentication failed');
      throw error;
    });
  return (
    <Card className="mt-6">
      <CallForm
        label="Sign in"
        schema={credentials}
        read={(field) => ({
          username: field('username'),
          password: field('password'),
          ...(withCode && { code: field('code') }),
        })}
        save={save}
        failed={CANNOT_REACH}
        button="Sign in"
      >
        {(field) => (
          <>
            {field('Username', 'username', {
              required: true,
              autoComplete: 'username',
              autoCapitalize: 'none',
              spellCheck: false,
            })}
            {field('Password', 'password', PASSWORD_INPUT)}
            {withCode && field('Authentication code', 'code', { ...CODE_INPUT, hint: CODE_HINT })}
          </>
        )}
      </CallForm>
    </Card>
  );
}

function DemoValue({ children }: { children: string }) {
  return <code className="rounded bg-paper-deep px-1.5 py-0.5 text-ink">{children}</code>;
}

/** Redirects to the sign-in page, which leads back to `returnTo`, even after a reload. */
export function RequireAuth({ returnTo }: { returnTo: string }) {
  return <Redirect replace href={STAFF_PAGES.signIn.path} state={returnTo} />;
}

/** Redirects to the page that was requested before the sign-in, or to the inbox. */
export function RedirectAfterLogin() {
  const given = useHistoryState<unknown>();
  const returnTo = usePageBeforeWork() ?? given;
  return (
    <Redirect replace href={typeof returnTo === 'string' ? returnTo : STAFF_PAGES.inbox.path} />
  );
}
