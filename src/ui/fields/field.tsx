import { type ReactNode, useId } from 'react';

/** What a control takes from its field; spread it onto the input. */
export interface ControlProps {
  id: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
}

interface FieldProps {
  label: string;
  /** Of the control, where something else leads to it. */
  id?: string;
  hint?: ReactNode;
  error?: string;
  optional?: boolean;
  /** What has been found out about the entry, at the end of the label's line. */
  aside?: string | undefined;
  children: (control: ControlProps) => ReactNode;
}

/** Label above, hint under it, the error in words at the control, all tied together for screen readers. */
export function Field(props: FieldProps) {
  const { label, id: own, hint, error, optional = false, aside, children } = props;
  const generated = useId();
  const id = own ?? generated;
  const describedBy = [hint && `${id}-hint`, aside && `${id}-aside`, error && `${id}-error`]
    .filter(Boolean)
    .join(' ');
  const control: ControlProps = {
    id,
    ...(describedBy && { 'aria-describedby': describedBy }),
    ...(error && { 'aria-invalid': true }),
  };
  return (
    <div>
      <div className="flex justify-between gap-4 text-sm">
        <label htmlFor={id} className="font-medium text-ink">
          {label}
          {optional && <span className="font-normal text-muted"> (optional)</span>}
        </label>
        {aside && <span id={`${id}-aside`}>{aside}</span>}
      </div>
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      )}
      <div className="mt-2">{children(control)}</div>
      {error && (
        <p id={`${id}-error`} className="mt-2 text-sm font-medium text-danger">
          {error}
        </p>
      )}
    </div>
  );
}
