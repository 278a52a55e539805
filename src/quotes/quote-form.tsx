import { type FormEvent, useRef, useState } from 'react';
import { type Choice, effectiveChoice } from '../catalogue/pricing.ts';
import { MAX_EMAIL } from '../platform/fields.ts';
import { CallError, fetchCall } from '../platform/old/fetch-call.ts';
import { reasonOf } from '../platform/reason-of.ts';
import { Button } from '../ui/button.tsx';
import { DialogFoot } from '../ui/dialog.tsx';
import { type ControlProps, Field } from '../ui/fields/field.tsx';
import { TextInput } from '../ui/fields/text-input.tsx';
import { Textarea } from '../ui/fields/textarea.tsx';
import { Notice } from '../ui/notice.tsx';
import { MAX_NOTE, quoteRequest } from './quote.ts';
import { SAVE_QUOTE } from './quote-contracts.ts';
import type { Saved } from './quote-saved.tsx';
import { readSaved } from './read-quote.ts';

const FIELDS = ['name', 'email', 'company', 'note'] as const;
type Name = (typeof FIELDS)[number];
type Faults = Partial<Record<Name, string>>;

const MISSING: Faults = {
  name: 'Please enter your name',
  email: 'Please enter your email address',
};

interface QuoteFormProps {
  planId: number;
  choice: Choice;
  onSaved: (saved: Saved) => void;
}

export function QuoteForm({ planId, choice, onSaved }: QuoteFormProps) {
  const [values, setValues] = useState({ name: '', email: '', company: '', note: '' });
  const [faults, setFaults] = useState<Faults>({});
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const bodyOf = (typed: typeof values) => ({ planId, ...effectiveChoice(choice), ...typed });

  /** The same rules as the server's, told at the fields before anything is sent. */
  function faultsIn(typed: typeof values): Faults {
    const found: Faults = {};
    for (const { path, message } of quoteRequest.safeParse(bodyOf(typed)).error?.issues ?? []) {
      const name = FIELDS.find((each) => each === path[0]);
      if (name) found[name] ??= (typed[name].trim() === '' && MISSING[name]) || message;
    }
    return found;
  }

  /** What was refused is looked at again as it changes; what nobody has sent yet is not judged. */
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

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const found = faultsIn(values);
    if (Object.keys(found).length > 0) return refuse(found);
    setBusy(true);
    setProblem(null);
    try {
      const saved = await fetchCall(SAVE_QUOTE, readSaved, { body: bodyOf(values) });
      onSaved({ ...saved, email: values.email.trim() });
    } catch (error) {
      setBusy(false);
      const told = error instanceof CallError ? error.errors : [];
      refuse(Object.fromEntries(told.map(({ path, message }) => [path, message])));
      setProblem(reasonOf(error, 'Your quote could not be saved. Please try again.'));
    }
  }

  const field = (name: Name, label: string, input: (control: ControlProps) => React.ReactNode) => (
    <Field label={label} optional={!MISSING[name]} error={faults[name]}>
      {input}
    </Field>
  );
  const line = (name: Exclude<Name, 'note'>, label: string, type: string, fills: string) =>
    field(name, label, (control) => (
      <TextInput
        {...control}
        type={type}
        name={name}
        autoComplete={fills}
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
        {problem && <Notice kind="error">{problem}</Notice>}
        <Button type="submit" size="large" busy={busy} className="w-full">
          Save quote
        </Button>
      </DialogFoot>
    </form>
  );
}
