/** What a visitor's and staff's form of a quote share: both say at their fields what their call's schema refuses. */
import { useMutation } from '@tanstack/react-query';
import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import {
  type ComponentProps,
  type FormEvent,
  type ReactNode,
  useId,
  useRef,
  useState,
} from 'react';
import type * as z from 'zod/mini';
import type { Schema } from '../platform/contract.ts';
import { CallError, reasonOf } from '../platform/fetch-call.ts';
import { Button } from '../ui/button.tsx';
import { DialogFoot } from '../ui/dialog.tsx';
import { Field, Select, Textarea, TextInput } from '../ui/fields.tsx';
import { Notice } from '../ui/notice.tsx';

interface LineOptions extends Omit<ComponentProps<'input'>, 'name'> {
  optional?: boolean;
  /** Of a choice: the values with their labels. */
  options?: readonly (readonly [value: string | number, label: string])[];
  onChoice?: (value: string) => void;
  /** Of a text that may have line breaks. */
  rows?: number;
}

interface QuoteFormProps<Body extends Schema, Saved> {
  label: string;
  schema: Body;
  /** Makes the call's body of what stands in the fields; '' for a field that is not there. */
  read: (field: (name: string) => string) => z.input<Body>;
  save: (body: z.input<Body>) => Promise<Saved>;
  onSaved: (saved: Saved) => void;
  /** Said when the server gives no reason. */
  failed: string;
  button: string;
  /** `line` makes a field with its label, which says what is wrong with it. */
  children: (line: (label: string, name: string, options?: LineOptions) => ReactNode) => ReactNode;
}

export function QuoteForm<Body extends Schema, Saved>(props: QuoteFormProps<Body, Saved>) {
  const { label, schema, read, save, onSaved, failed, button, children } = props;
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const form = useRef<HTMLFormElement>(null);
  const saving = useMutation({
    mutationFn: save,
    onSuccess: onSaved,
    onError: (error) => error instanceof CallError && refuse(error.errors),
  });

  function refuse(errors: readonly { path: string; message: string }[]) {
    setFaults(Object.fromEntries(errors.map(({ path, message }) => [path, message])));
    const first = form.current?.elements.namedItem(errors[0]?.path ?? '');
    if (first instanceof HTMLElement) first.focus();
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (saving.isPending) return;
    const fields = new FormData(event.currentTarget);
    const body = read((name) => String(fields.get(name) ?? ''));
    const issues = schema.safeParse(body).error?.issues ?? [];
    refuse(issues.map(({ path, message }) => ({ path: path.join('.'), message })));
    if (issues.length === 0) saving.mutate(body);
  }

  return (
    <form ref={form} noValidate onSubmit={submit} aria-label={label} className="grid gap-4">
      {children((text, name, { optional = false, ...options } = {}) => (
        <Field label={text} optional={optional} error={faults[name]}>
          {(control) => <Control {...control} {...options} name={name} />}
        </Field>
      ))}
      <DialogFoot>
        {saving.error && <Notice kind="error">{reasonOf(saving.error, failed)}</Notice>}
        <Button type="submit" size="large" busy={saving.isPending} className="w-full">
          {button}
        </Button>
      </DialogFoot>
    </form>
  );
}

function Control({ options, onChoice, rows, ...input }: LineOptions & { name: string }) {
  const { id, name, defaultValue, maxLength = 100 } = input;
  const described = { 'aria-describedby': input['aria-describedby'], id, name, defaultValue };
  const invalid = input['aria-invalid'];
  if (rows) return <Textarea {...described} {...{ rows, maxLength }} aria-invalid={invalid} />;
  if (!options) return <TextInput {...input} maxLength={maxLength} />;
  return (
    // What is chosen at first may be offered only later.
    <Select
      key={options.length}
      {...described}
      aria-invalid={invalid}
      onChange={({ target }) => onChoice?.(target.value)}
    >
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </Select>
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
