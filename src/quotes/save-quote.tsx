/** 'Save as a quote': what is chosen is kept with its prices, under a link that can be sent to a colleague. */
import { useMutation } from '@tanstack/react-query';
import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import FileText from 'lucide-react/icons/file-text';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { type Choice, effectiveChoice } from '../catalogue/pricing.ts';
import { CallError, fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { MAX_EMAIL } from '../platform/fields.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Dialog, DialogFoot } from '../ui/dialog.tsx';
import { longDay } from '../ui/facts.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { type ControlProps, Field, Textarea, TextInput } from '../ui/fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { MAX_NOTE, quoteRequest, SAVE_QUOTE, type SavedQuote } from './quote-api.ts';

/** At the end of the checkout's address it opens the form that saves the choice as a quote. */
const SAVE_QUOTE_FRAGMENT = '#save-quote';

interface SaveQuoteProps {
  plan: { id: number; name: string };
  choice: Choice;
  /** The number of users makes no sense yet. */
  usersUnknown: boolean;
  onUsersUnknown: () => void;
  /** Customers get emails. */
  mailed: boolean;
}

/** `email`: where the link was sent. */
type Saved = SavedQuote & { email: string };

export function SaveQuote(props: SaveQuoteProps) {
  const { plan, choice, usersUnknown, onUsersUnknown, mailed } = props;
  const [dialog, setDialog] = useState<'unused' | 'open' | 'closed'>('unused');
  const [saved, setSaved] = useState<Saved | null>(null);

  // The planner's link leads here.
  useEffect(() => {
    if (window.location.hash !== SAVE_QUOTE_FRAGMENT) return;
    window.history.replaceState(window.history.state, '', window.location.href.split('#')[0]);
    setDialog('open');
  }, []);

  function close() {
    setDialog('closed');
    setSaved(null);
  }

  return (
    <>
      <Button
        id={SAVE_QUOTE_FRAGMENT.slice(1)}
        variant="quiet"
        size="small"
        onClick={() => (usersUnknown ? onUsersUnknown() : setDialog('open'))}
        className="noscript:hidden"
      >
        <FileText className="size-4" />
        Save as a quote
      </Button>
      {dialog !== 'unused' &&
        // The checkout is a form, and no form stands in another.
        createPortal(
          <Dialog
            open={dialog === 'open' && !usersUnknown}
            onClose={close}
            title={saved ? 'Your quote is saved' : 'Save as a quote'}
            subtitle={
              saved
                ? saved.reference
                : `${plan.name}: today’s prices are held for 30 days. Nothing is charged.`
            }
          >
            <FailureBoundary>
              {saved ? (
                <QuoteSaved saved={saved} mailed={mailed} />
              ) : (
                <QuoteForm planId={plan.id} choice={choice} onSaved={setSaved} />
              )}
            </FailureBoundary>
          </Dialog>,
          document.body,
        )}
    </>
  );
}

const FIELDS = ['name', 'email', 'company', 'note'] as const;
type Name = (typeof FIELDS)[number];
type Values = Record<Name, string>;
type Faults = Partial<Values>;

const MISSING: Faults = {
  name: 'Please enter your name',
  email: 'Please enter your email address',
};

interface QuoteFormProps {
  planId: number;
  choice: Choice;
  onSaved: (saved: Saved) => void;
}

function QuoteForm({ planId, choice, onSaved }: QuoteFormProps) {
  const [values, setValues] = useState<Values>({ name: '', email: '', company: '', note: '' });
  const [faults, setFaults] = useState<Faults>({});
  const form = useRef<HTMLFormElement>(null);
  const bodyOf = (typed: Values) => ({ planId, ...effectiveChoice(choice), ...typed });
  const saving = useMutation({
    mutationFn: () => fetchCall(SAVE_QUOTE, { body: bodyOf(values) }),
    onSuccess: (saved) => onSaved({ ...saved, email: values.email.trim() }),
    onError: (error) => {
      const errors = error instanceof CallError ? error.errors : [];
      refuse(Object.fromEntries(errors.map(({ path, message }) => [path, message])));
    },
  });

  /** By the same rules as the server's. */
  function faultsIn(typed: Values): Faults {
    const found: Faults = {};
    for (const { path, message } of quoteRequest.safeParse(bodyOf(typed)).error?.issues ?? []) {
      const name = FIELDS.find((each) => each === path[0]);
      if (name) found[name] ??= (typed[name].trim() === '' && MISSING[name]) || message;
    }
    return found;
  }

  /** A field that was refused is checked again as it changes. */
  function change(name: Name, text: string) {
    const changed = { ...values, [name]: text };
    setValues(changed);
    if (faults[name]) setFaults({ ...faults, [name]: faultsIn(changed)[name] });
  }

  function refuse(found: Faults) {
    setFaults(found);
    const first = FIELDS.find((name) => found[name]);
    form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (saving.isPending) return;
    const found = faultsIn(values);
    if (Object.keys(found).length > 0) refuse(found);
    else saving.mutate();
  }

  const field = (name: Name, label: string, input: (control: ControlProps) => React.ReactNode) => (
    <Field label={label} optional={!MISSING[name]} error={faults[name]}>
      {input}
    </Field>
  );
  const line = (name: Exclude<Name, 'note'>, label: string, type: string, autoComplete: string) =>
    field(name, label, (control) => (
      <TextInput
        {...control}
        type={type}
        name={name}
        autoComplete={autoComplete}
        required={name in MISSING}
        maxLength={name === 'email' ? MAX_EMAIL : 100}
        value={values[name]}
        onChange={({ target }) => change(name, target.value)}
        data-first-focus={name === 'name' || undefined}
      />
    ));

  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit}
      aria-label="Save as a quote"
      className="grid gap-4"
    >
      {line('name', 'Name', 'text', 'name')}
      {line('email', 'Email', 'email', 'email')}
      {line('company', 'Company', 'text', 'organization')}
      {field('note', 'Note on the quote', (control) => (
        <Textarea
          {...control}
          name="note"
          rows={3}
          maxLength={MAX_NOTE}
          value={values.note}
          onChange={({ target }) => change('note', target.value)}
        />
      ))}
      <DialogFoot>
        {saving.error && (
          <Notice kind="error">
            {reasonOf(saving.error, 'Your quote could not be saved. Please try again.')}
          </Notice>
        )}
        <Button type="submit" size="large" busy={saving.isPending} className="w-full">
          Save quote
        </Button>
      </DialogFoot>
    </form>
  );
}

/** The link of a quote that has just been saved, and how it is found again. */
function QuoteSaved({ saved, mailed }: { saved: Saved; mailed: boolean }) {
  const { url, expiresAt, email } = saved;
  return (
    <div className="grid gap-4">
      <p className="text-sm">
        {expiresAt && `Valid through ${longDay(expiresAt)}. `}
        {mailed
          ? `We’ve also emailed the link to ${email}.`
          : 'Please keep this link: it is the only way back to your quote.'}
      </p>
      <LinkToCopy url={url} />
      <ButtonLink href={url} size="large" data-first-focus>
        View your quote
      </ButtonLink>
    </div>
  );
}

/** An address to be sent on. Where it cannot be copied it is selected, to be copied by hand. */
export function LinkToCopy({ url }: { url: string }) {
  const [copied, setCopied] = useState(false);
  const id = useId();
  const field = useRef<HTMLInputElement>(null);

  /** By the old command: the newer way is closed on a site that is tried in the office without https. */
  function copy() {
    field.current?.select();
    setCopied(document.execCommand('copy'));
  }

  return (
    <div>
      <label htmlFor={id} className="text-sm font-medium text-ink">
        Link to the quote
      </label>
      <div className="mt-2 flex gap-2">
        <TextInput
          ref={field}
          id={id}
          readOnly
          value={url}
          onFocus={({ target }) => target.select()}
          className="min-w-0 flex-1 text-sm"
        />
        <Button variant="quiet" onClick={copy} className="h-12">
          {copied ? <Check className="size-4" /> : <Copy className="size-4" />}
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <p role="status" className="sr-only">
        {copied && 'The link is copied'}
      </p>
    </div>
  );
}
