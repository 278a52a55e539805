/** A form for one call. It validates with the call's schema and shows each error at its field. */
import { useMutation } from '@tanstack/react-query';
import { type ComponentProps, type FormEvent, type ReactNode, useId, useState } from 'react';
import type * as z from 'zod/mini';
import type { Schema } from '../platform/contract.ts';
import { CallError, reasonOf } from '../platform/fetch-call.ts';
import { Button } from './button.tsx';
import { DialogFoot } from './dialog.tsx';
import { Field, Select, Textarea, TextInput, typedInto } from './fields.tsx';
import { Notice } from './notice.tsx';

interface FieldOptions extends Omit<ComponentProps<'input'>, 'name'> {
  optional?: boolean;
  hint?: string;
  'data-first-focus'?: boolean;
  /** Makes it a select. */
  options?: readonly (readonly [value: string | number, label: string])[];
  onChoice?: (value: string) => void;
  /** Makes it a textarea. */
  rows?: number;
}

interface CallFormProps<Body extends Schema, Saved> {
  label: string;
  schema: Body;
  /** Builds the call's body. A missing field reads as ''. */
  read: (field: (name: string) => string) => z.input<Body>;
  save: (body: z.input<Body>) => Promise<Saved>;
  onSaved?: (saved: Saved) => void;
  /** Shown when the server gives no reason. */
  failed: string;
  button: string;
  /** Keeps the button in sight at the foot of the dialog. */
  inDialog?: boolean;
  className?: string;
  /** `field` renders a labelled field with its error. `saved` is the call's result. */
  children: (
    field: (label: string, name: string, options?: FieldOptions) => ReactNode,
    saved: Saved | undefined,
  ) => ReactNode;
}

export function CallForm<Body extends Schema, Saved>(props: CallFormProps<Body, Saved>) {
  const { label, schema, read, save, onSaved, failed, button, inDialog = true, children } = props;
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  /** An error that belongs to no field. */
  const [problem, setProblem] = useState<string>();
  const id = useId();
  const idOf = (name: string) => `${id}-${name}`;
  const saving = useMutation({
    mutationFn: save,
    onSuccess: (saved) => onSaved?.(saved),
    onError: (error) => error instanceof CallError && showErrors(error.errors),
  });

  function showErrors(newErrors: readonly { path: string; message: string }[]) {
    const controlOf = (path: string) => document.getElementById(idOf(path));
    setErrors(Object.fromEntries(newErrors.map(({ path, message }) => [path, message])));
    setProblem(newErrors.find(({ path }) => !controlOf(path))?.message);
    controlOf(newErrors[0]?.path ?? '')?.focus();
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (saving.isPending) return;
    saving.reset();
    const fields = new FormData(event.currentTarget);
    const body = read((name) => typedInto(idOf(name)) ?? String(fields.get(name) ?? ''));
    const issues = schema.safeParse(body).error?.issues ?? [];
    showErrors(issues.map(({ path, message }) => ({ path: path.join('.'), message })));
    if (issues.length === 0) saving.mutate(body);
  }

  const reason = problem ?? (saving.error && reasonOf(saving.error, failed));
  const failure = reason && <Notice kind="error">{reason}</Notice>;
  const field = (
    text: string,
    name: string,
    { optional = false, hint, ...options }: FieldOptions = {},
  ) => (
    <Field id={idOf(name)} label={text} optional={optional} hint={hint} error={errors[name]}>
      <Control {...options} name={name} />
    </Field>
  );
  return (
    <form
      noValidate
      onSubmit={submit}
      aria-label={label}
      className={`grid gap-4 ${props.className ?? ''}`}
    >
      {children(field, saving.data)}
      {inDialog ? (
        <DialogFoot notice={failure}>
          <Button type="submit" size="large" busy={saving.isPending} className="w-full">
            {button}
          </Button>
        </DialogFoot>
      ) : (
        <>
          {failure}
          <Button type="submit" busy={saving.isPending} className="justify-self-start">
            {button}
          </Button>
        </>
      )}
    </form>
  );
}

function Control({ options, onChoice, rows, ...input }: FieldOptions & { name: string }) {
  const { name, defaultValue, maxLength = 100 } = input;
  if (rows)
    return <Textarea name={name} defaultValue={defaultValue} rows={rows} maxLength={maxLength} />;
  if (!options) return <TextInput {...input} maxLength={maxLength} />;
  return (
    // Remounted when the options arrive, since the default value may be one of them.
    <Select
      key={options.length}
      name={name}
      defaultValue={defaultValue}
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
