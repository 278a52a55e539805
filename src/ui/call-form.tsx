/** A form that sends one call, and says at its fields what the call's schema refuses. */
import { useMutation } from '@tanstack/react-query';
import { type ComponentProps, type FormEvent, type ReactNode, useRef, useState } from 'react';
import type * as z from 'zod/mini';
import type { Schema } from '../platform/contract.ts';
import { CallError, reasonOf } from '../platform/fetch-call.ts';
import { Button } from './button.tsx';
import { DialogFoot } from './dialog.tsx';
import { Field, Select, Textarea, TextInput } from './fields.tsx';
import { Notice } from './notice.tsx';

interface LineOptions extends Omit<ComponentProps<'input'>, 'name'> {
  optional?: boolean;
  'data-first-focus'?: boolean;
  /** Of a choice: the values with their labels. */
  options?: readonly (readonly [value: string | number, label: string])[];
  onChoice?: (value: string) => void;
  /** Of a text that may have line breaks. */
  rows?: number;
}

interface CallFormProps<Body extends Schema, Saved> {
  label: string;
  schema: Body;
  /** Makes the call's body from the fields; '' for a field that is missing. */
  read: (field: (name: string) => string) => z.input<Body>;
  save: (body: z.input<Body>) => Promise<Saved>;
  onSaved?: (saved: Saved) => void;
  /** Said when the server gives no reason. */
  failed: string;
  button: string;
  /** Its button stays in sight at the end of a dialog. */
  inDialog?: boolean;
  className?: string;
  /** `line` makes a field with its label, which says what is wrong with it; `saved`: what came of the call. */
  children: (
    line: (label: string, name: string, options?: LineOptions) => ReactNode,
    saved: Saved | undefined,
  ) => ReactNode;
}

export function CallForm<Body extends Schema, Saved>(props: CallFormProps<Body, Saved>) {
  const { label, schema, read, save, onSaved, failed, button, inDialog = true, children } = props;
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const form = useRef<HTMLFormElement>(null);
  const saving = useMutation({
    mutationFn: save,
    onSuccess: (saved) => onSaved?.(saved),
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
    saving.reset();
    const fields = new FormData(event.currentTarget);
    const body = read((name) => String(fields.get(name) ?? ''));
    const issues = schema.safeParse(body).error?.issues ?? [];
    refuse(issues.map(({ path, message }) => ({ path: path.join('.'), message })));
    if (issues.length === 0) saving.mutate(body);
  }

  const problem = saving.error && <Notice kind="error">{reasonOf(saving.error, failed)}</Notice>;
  const line = (text: string, name: string, { optional = false, ...options }: LineOptions = {}) => (
    <Field label={text} optional={optional} error={faults[name]}>
      {(control) => <Control {...control} {...options} name={name} />}
    </Field>
  );
  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit}
      aria-label={label}
      className={`grid gap-4 ${props.className ?? ''}`}
    >
      {children(line, saving.data)}
      {inDialog ? (
        <DialogFoot>
          {problem}
          <Button type="submit" size="large" busy={saving.isPending} className="w-full">
            {button}
          </Button>
        </DialogFoot>
      ) : (
        <>
          {problem}
          <Button type="submit" busy={saving.isPending} className="justify-self-start">
            {button}
          </Button>
        </>
      )}
    </form>
  );
}

function Control({ options, onChoice, rows, ...input }: LineOptions & { name: string }) {
  const { id, name, defaultValue, maxLength = 100 } = input;
  const { 'aria-describedby': describedBy, 'aria-invalid': invalid } = input;
  const shared = {
    id,
    name,
    defaultValue,
    'aria-describedby': describedBy,
    'aria-invalid': invalid,
  };
  if (rows) return <Textarea {...shared} rows={rows} maxLength={maxLength} />;
  if (!options) return <TextInput {...input} maxLength={maxLength} />;
  return (
    // What is chosen at first may be offered only later.
    <Select key={options.length} {...shared} onChange={({ target }) => onChoice?.(target.value)}>
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </Select>
  );
}
