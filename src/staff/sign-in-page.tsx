import { type FormEvent, useLayoutEffect, useRef, useState } from 'react';
import { Redirect } from 'wouter';
import { sessionStore } from '../platform/browser/session-storage.ts';
import { reasonOf } from '../platform/fetch-call.ts';
import { type Reader, text } from '../platform/old/read.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Field } from '../ui/fields/field.tsx';
import { TextInput } from '../ui/fields/text-input.tsx';
import { Notice } from '../ui/notice.tsx';
import { showToast } from '../ui/toast/toast.ts';
import { prepareToasts } from '../ui/toast/toaster.tsx';
import { useLogin } from './login.tsx';
import { type DemoCredentials, signInRequest } from './staff-api.ts';
import { STAFF_PAGES, STAFF_PATHS } from './staff-pages.ts';

interface SignInPageProps {
  /** Shown while they are in force; else null. */
  demo: DemoCredentials | null;
  /** The session has ended while somebody was at work. */
  expired: boolean;
}

export function SignInPage({ demo, expired }: SignInPageProps) {
  const { errors, failure, busy, form, submit } = useSignIn();
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
        <form ref={form} noValidate onSubmit={submit} className="grid gap-5">
          <Field label="Username" error={errors.username}>
            {(control) => (
              <TextInput
                {...control}
                name="username"
                required
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
              />
            )}
          </Field>
          <Field label="Password" error={errors.password}>
            {(control) => (
              <TextInput
                {...control}
                type="password"
                name="password"
                required
                autoComplete="current-password"
              />
            )}
          </Field>
          {failure && <Notice kind="error">{failure}</Notice>}
          <Button type="submit" busy={busy} onFocus={prepareToasts}>
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

type FieldErrors = Partial<Record<keyof DemoCredentials, string>>;

function useSignIn() {
  const { signIn } = useLogin();
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const checked = signInRequest.safeParse(Object.fromEntries(new FormData(event.currentTarget)));
    const found: FieldErrors = {};
    for (const { path, message } of checked.error?.issues ?? []) {
      if (path[0] === 'username' || path[0] === 'password') found[path[0]] ??= message;
    }
    setErrors(found);
    setFailure(undefined);
    if (!checked.success) return focusFirst(form.current, found);
    setBusy(true);
    try {
      await signIn(checked.data);
    } catch (error) {
      const description = reasonOf(error, 'Can’t reach the server. Please try again.');
      setFailure(description);
      setBusy(false);
      showToast({ title: 'Authentication failed', description, variant: 'destructive' });
    }
  }
  return { errors, failure, busy, form, submit };
}

function focusFirst(form: HTMLFormElement | null, errors: FieldErrors) {
  const name = errors.username ? 'username' : 'password';
  form?.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus();
}

const WANTED = 'staff_page_wanted';
/** Any other address would lead out of this document. */
const readWanted: Reader<string> = (value) => {
  const wanted = text(value);
  return STAFF_PATHS.includes(wanted?.split('?')[0] ?? '') ? wanted : undefined;
};

export function RequireAuth({ wanted }: { wanted: string }) {
  useLayoutEffect(() => sessionStore.set(WANTED, wanted), [wanted]);
  return <Redirect replace href={STAFF_PAGES.signIn.path} />;
}

/** To the page that led to the sign-in, else to the inbox. */
export function RedirectAfterLogin() {
  const [wanted] = useState(() => sessionStore.get(WANTED, readWanted));
  useLayoutEffect(() => sessionStore.remove(WANTED), []);
  return <Redirect replace href={wanted ?? STAFF_PAGES.inbox.path} />;
}
