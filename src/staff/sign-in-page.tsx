import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Redirect } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import * as z from 'zod/mini';
import { reasonOf } from '../platform/fetch-call.ts';
import { Button } from '../ui/button.tsx';
import { Field, TextInput } from '../ui/fields.tsx';
import { Card } from '../ui/layout.tsx';
import { Notice } from '../ui/notice.tsx';
import { showToast } from '../ui/toast/toast.ts';
import { useLogin } from './login.tsx';
import { type Credentials, credentials } from './staff-api.ts';
import { STAFF_PAGES } from './staff-pages.ts';

interface SignInPageProps {
  /** Null once the demo password has been replaced. */
  demo: Credentials | null;
  /** The session ended while the page was open. */
  expired: boolean;
}

export function SignInPage({ demo, expired }: SignInPageProps) {
  const { errors, failure, busy, submit } = useSignIn();
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
      <Card className="mt-6">
        <form noValidate onSubmit={submit} className="grid gap-5">
          <Field label="Username" error={errors.username?.[0]}>
            <TextInput
              name="username"
              required
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
            />
          </Field>
          <Field label="Password" error={errors.password?.[0]}>
            <TextInput type="password" name="password" required autoComplete="current-password" />
          </Field>
          {failure && <Notice kind="error">{failure}</Notice>}
          <Button type="submit" busy={busy}>
            Sign in
          </Button>
        </form>
      </Card>
      {demo && (
        <p className="mt-6 text-sm">
          Demo credentials: <DemoValue>{demo.username}</DemoValue> /{' '}
          <DemoValue>{demo.password}</DemoValue>
        </p>
      )}
    </div>
  );
}

function DemoValue({ children }: { children: string }) {
  return <code className="rounded bg-paper-deep px-1.5 py-0.5 text-ink">{children}</code>;
}

const CANNOT_REACH = 'Can’t reach the server. Please try again.';

function useSignIn() {
  const { signIn } = useLogin();
  const [errors, setErrors] = useState<Partial<Record<keyof Credentials, string[]>>>({});
  const { mutate, reset, error, isPending, isSuccess } = useMutation({
    mutationFn: signIn,
    onError: (error) =>
      showToast({
        title: 'Authentication failed',
        description: reasonOf(error, CANNOT_REACH),
        variant: 'destructive',
      }),
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const { data, error } = credentials.safeParse(Object.fromEntries(new FormData(form)));
    const found = error ? z.flattenError(error).fieldErrors : {};
    setErrors(found);
    reset();
    if (data) return mutate(data);
    const first = found.username ? 'username' : 'password';
    form.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
  }
  const failure = error && reasonOf(error, CANNOT_REACH);
  return { errors, failure, busy: isPending || isSuccess, submit };
}

/** Redirects to the sign-in page, which leads back to `returnTo`, even after a reload. */
export function RequireAuth({ returnTo }: { returnTo: string }) {
  return <Redirect replace href={STAFF_PAGES.signIn.path} state={returnTo} />;
}

/** Redirects to the page that was requested before the sign-in, or to the inbox. */
export function RedirectAfterLogin() {
  const returnTo = useHistoryState<unknown>();
  return (
    <Redirect replace href={typeof returnTo === 'string' ? returnTo : STAFF_PAGES.inbox.path} />
  );
}
