/** What every form does: it checks with a schema, sends, and shows each fault in its place. */
import { type ComponentProps, type FormEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import * as z from 'zod/mini';
import type { Schema } from '../platform/contract.ts';
import { CallError } from '../platform/fetch-call.ts';
import { Field, Select, Textarea, TextInput } from './fields.tsx';
import { usePress } from './presses.ts';

interface FormOptions<Body extends Schema, Saved> {
  schema: Body;
  /** Builds what is sent. A missing field, and a box that is not checked, reads as ''. */
  read: (field: (name: string) => string) => z.input<Body>;
  /** Whether parts that show their own errors are valid, such as a provider's card fields. */
  alsoValid?: () => boolean;
  save: (body: z.input<Body>, parsed: z.output<Body>) => Promise<Saved>;
  onSaved?: (saved: Saved, parsed: z.output<Body>) => unknown;
  onFailed?: (error: Error) => unknown;
  /** What is shown of a failure that names no field. */
  failure: (error: Error) => string;
  /** The ids of the fields begin with it, if something links to them. */
  id?: string;
  /** What the server has answered to the form sent without script. */
  returned?: FieldFaults;
}

export interface FieldFaults {
  errors: Readonly<Record<string, string | undefined>>;
  problem: string | null;
}

const NOTHING_REFUSED: FieldFaults = { errors: {}, problem: null };

interface Issue {
  path: string;
  message: string;
}

export interface FieldOptions extends Omit<ComponentProps<'input'>, 'name'> {
  optional?: boolean;
  hint?: string;
  /** Makes it a select. */
  options?: readonly (readonly [value: string | number, label: string])[];
  onChoice?: (value: string) => void;
  /** Makes it a textarea. */
  rows?: number;
}

export function useForm<Body extends Schema, Saved>(options: FormOptions<Body, Saved>) {
  const { schema, read, save, onSaved, onFailed, failure, returned } = options;
  const [{ errors, problem }, setRefused] = useState<FieldFaults>(returned ?? NOTHING_REFUSED);
  /** Gets the focus in place of the first faulty field, if the form has a summary of its errors. */
  const summary = useRef<HTMLDivElement>(null);
  const generated = useId();
  const idOf = (name: string) => `${options.id ?? generated}-${name}`;
  const sending = usePress({
    mutationFn: ({ body, parsed }: { body: z.input<Body>; parsed: z.output<Body> }) =>
      save(body, parsed),
    onSuccess: (saved, { parsed }) => onSaved?.(saved, parsed),
    onError(error) {
      onFailed?.(error);
      show(error instanceof CallError ? error.errors : [], failure(error));
    },
  });

  function check(form: HTMLFormElement) {
    const boxes = new FormData(form);
    const body = read((name) => typedInto(idOf(name)) ?? String(boxes.get(name) ?? ''));
    const { data, error } = schema.safeParse(body);
    const issues = error?.issues.map(({ path, message }) => ({
      path: z.core.toDotPath(path),
      message,
    }));
    return { body, parsed: data, issues: issues ?? [] };
  }

  function show(issues: readonly Issue[], reason: string | null = null) {
    const controlOf = ({ path }: Issue) => document.getElementById(idOf(path));
    const [first] = issues;
    const ofNoField = issues.find((issue) => !controlOf(issue))?.message;
    const ofFields = issues.map(({ path, message }) => [path, message]).reverse();
    flushSync(() =>
      setRefused({
        errors: Object.fromEntries(ofFields),
        problem: ofNoField ?? (first ? null : reason),
      }),
    );
    if (first) (summary.current ?? controlOf(first))?.focus();
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (sending.isHeld()) return;
    sending.reset();
    const { body, parsed, issues } = check(event.currentTarget);
    const complete = options.alsoValid?.() ?? true;
    show(issues);
    if (parsed !== undefined && complete) sending.mutate({ body, parsed });
  }

  /** A field with an error is checked again while it is corrected. */
  function recheck({ currentTarget, target }: FormEvent<HTMLFormElement>) {
    const name = target instanceof Element ? target.id.slice(idOf('').length) : '';
    if (!errors[name]) return;
    const issue = check(currentTarget).issues.find(({ path }) => path === name);
    setRefused({ problem, errors: { ...errors, [name]: issue?.message } });
  }

  const field = (
    label: string,
    name: string,
    { optional = false, hint, ...control }: FieldOptions = {},
  ) => (
    <Field id={idOf(name)} label={label} optional={optional} hint={hint} error={errors[name]}>
      <Control {...control} name={name} />
    </Field>
  );
  return {
    form: { onSubmit: submit, onInput: recheck },
    field,
    /** What is in the field now. */
    typed: (name: string) => typedInto(idOf(name)) ?? '',
    summary,
    errors,
    problem,
    sending: sending.isPending,
    saved: sending.data,
    /** Forgets what was saved, and why it was not. */
    reset() {
      sending.reset();
      setRefused(NOTHING_REFUSED);
    },
  };
}

/** Not found by its name: extensions of browsers add fields with any name to a form. */
function typedInto(id: string): string | undefined {
  const control = document.getElementById(id);
  if (control instanceof HTMLInputElement) {
    if (control.type === 'checkbox') return control.checked ? control.value : '';
    // A day without its year has the value '', which would pass for none.
    if (control.validity.badInput) return '?';
  }
  return control && 'value' in control ? String(control.value) : undefined;
}

function Control({ options, onChoice, rows, ...input }: FieldOptions & { name: string }) {
  const { name, defaultValue, required, autoComplete, autoFocus } = input;
  const shared = { name, defaultValue, required, autoComplete, autoFocus };
  if (rows) return <Textarea {...shared} rows={rows} />;
  if (!options) return <TextInput {...input} />;
  return (
    // Remounted when the options arrive, since the default value may be one of them.
    <Select
      key={options.length}
      name={name}
      defaultValue={defaultValue}
      autoFocus={autoFocus}
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
