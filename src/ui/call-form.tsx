/** A form for one call. It validates with the call's schema and shows each error at its field. */
import type { ReactNode } from 'react';
import type * as z from 'zod/mini';
import type { Schema } from '../platform/contract.ts';
import { reasonOf } from '../platform/fetch-call.ts';
import { Button } from './button.tsx';
import { DialogFoot } from './dialog.tsx';
import { Notice } from './notice.tsx';
import { type FieldOptions, useForm } from './use-form.tsx';

export type RenderField = (label: string, name: string, options?: FieldOptions) => ReactNode;

interface CallFormProps<Body extends Schema, Saved> {
  label: string;
  schema: Body;
  /** Builds the call's body. A missing field reads as ''. */
  read: (field: (name: string) => string) => z.input<Body>;
  save: (body: z.input<Body>) => Promise<Saved>;
  onSaved?: (saved: Saved) => void;
  onFailed?: (error: Error) => void;
  /** Shown when the server gives no reason. */
  failed?: string;
  button: string;
  /** Keeps the button in sight at the foot of the dialog. */
  inDialog?: boolean;
  /** Above the button there. */
  foot?: ReactNode;
  className?: string;
  /** `field` renders a labelled field with its error. `saved` is the call's result. */
  children: (field: RenderField, saved: Saved | undefined) => ReactNode;
}

export function CallForm<Body extends Schema, Saved>(props: CallFormProps<Body, Saved>) {
  const { label, failed, button, inDialog, foot, className = '', children } = props;
  const { form, field, problem, sending, saved } = useForm({
    ...props,
    failure: (error) => reasonOf(error, failed),
  });
  const failure = problem && <Notice kind="error">{problem}</Notice>;
  return (
    <form noValidate {...form} aria-label={label} className={`grid gap-4 ${className}`}>
      {children(field, saved)}
      {inDialog ? (
        <DialogFoot notice={failure}>
          {foot}
          <Button type="submit" size="large" busy={sending} className="w-full">
            {button}
          </Button>
        </DialogFoot>
      ) : (
        <>
          {failure}
          <Button type="submit" busy={sending} className="justify-self-start">
            {button}
          </Button>
        </>
      )}
    </form>
  );
}
