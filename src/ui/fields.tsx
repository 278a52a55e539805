import ChevronDown from 'lucide-react/icons/chevron-down';
import { type ComponentProps, createContext, type ReactNode, use, useId } from 'react';

interface ControlProps {
  id?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
}

/** What a control gets from the field around it. */
export const FieldContext = createContext<ControlProps>({});

interface FieldProps {
  label: string;
  /** The control's id, if something links to it. */
  id?: string;
  hint?: ReactNode;
  error?: string;
  optional?: boolean;
  children: ReactNode;
}

export const LABEL = 'block text-sm font-medium text-ink';

/** A label, a hint and an error, associated with their control for screen readers. */
export function Field(props: FieldProps) {
  const { label, id: givenId, hint, error, optional = false, children } = props;
  const generated = useId();
  const id = givenId ?? generated;
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const control: ControlProps = {
    id,
    ...(describedBy && { 'aria-describedby': describedBy }),
    ...(error && { 'aria-invalid': true }),
  };
  return (
    <div>
      <label htmlFor={id} className={LABEL}>
        <span>{label}</span>
        {optional && <span className="font-normal text-muted"> (optional)</span>}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      )}
      <div className="mt-2">
        <FieldContext value={control}>{children}</FieldContext>
      </div>
      <FieldError id={id} error={error} />
    </div>
  );
}

/** `id`: of the field that it describes. */
export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  return (
    error && (
      <p id={`${id}-error`} className="mt-1.5 text-xs font-medium text-danger">
        {error}
      </p>
    )
  );
}

/** Text of at least 16 px, or phones zoom into the field. */
export const CONTROL =
  'block w-full rounded-control border border-edge bg-surface px-3.5 text-base text-ink max-[18rem]:px-2 placeholder:text-muted focus-visible:-outline-offset-2 aria-invalid:border-2 aria-invalid:border-danger aria-invalid:[--focus:var(--color-danger)] aria-invalid:focus-visible:ring-3 aria-invalid:focus-visible:ring-danger/30 disabled:bg-paper-deep disabled:text-muted';

export function TextInput({ className = '', ...rest }: ComponentProps<'input'>) {
  return (
    <input
      type="text"
      {...use(FieldContext)}
      className={`${CONTROL} h-12 ${className}`}
      // Over a number with the focus, the wheel would change it in place of scrolling the page.
      onWheel={rest.type === 'number' ? ({ currentTarget }) => currentTarget.blur() : undefined}
      {...rest}
    />
  );
}

export function Textarea({ className = '', ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...use(FieldContext)} className={`${CONTROL} py-2.5 ${className}`} {...rest} />;
}

export function Select({ className = '', ...rest }: ComponentProps<'select'>) {
  return (
    <span className="relative block">
      <select
        {...use(FieldContext)}
        className={`${CONTROL} h-12 appearance-none pr-10 ${className}`}
        {...rest}
      />
      <ChevronDown className="pointer-events-none absolute top-1/2 right-3 size-5 -translate-y-1/2" />
    </span>
  );
}

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode;
  detail?: ReactNode;
}

/** The whole row is clickable. */
export function Checkbox({ label, detail, className = '', ...rest }: CheckboxProps) {
  return (
    <label className={`flex min-h-11 cursor-pointer items-start gap-3 py-2 ${className}`}>
      <input type="checkbox" className="mt-0.5 size-5 shrink-0 accent-selected" {...rest} />
      <span className="min-w-0 text-sm">
        <span className="block font-medium text-ink">{label}</span>
        {detail && <span className="block text-muted">{detail}</span>}
      </span>
    </label>
  );
}

interface RadioOption<Value extends string> {
  value: Value;
  label: string;
  detail?: ReactNode;
  /** At the end of the row, such as a price; wraps under the label. */
  aside?: ReactNode;
}

interface RadioCardsProps<Value extends string> {
  legend: string;
  name: string;
  /** Makes the group controlled; `onChange` must then set it. */
  value?: Value;
  /** Of an uncontrolled group, which keeps a choice made before hydration. */
  defaultValue?: Value;
  options: readonly RadioOption<Value>[];
  onChange?: (value: Value) => void;
  /** Classes of the cards' grid, such as two columns. */
  className?: string;
}

/** A label around a radio button, and that. */
export const RADIO_CARD =
  'flex min-h-12 cursor-pointer items-center gap-3 rounded-control border border-edge/60 bg-surface px-3 py-2.5 max-[18rem]:gap-2 max-[18rem]:px-2 text-sm hover:border-edge has-checked:border-selected has-checked:bg-selected-soft has-checked:inset-ring has-checked:inset-ring-selected';
export const RADIO = 'size-5 shrink-0 accent-selected';

/** A radio group of cards. Native inputs give it arrow keys and screen reader support. */
export function RadioCards<Value extends string>(props: RadioCardsProps<Value>) {
  const { legend, name, value, defaultValue, options, onChange, className = '' } = props;
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium text-ink">{legend}</legend>
      <div className={`grid gap-2 ${className}`}>
        {options.map((option) => (
          <label key={option.value} className={`${RADIO_CARD} sm:px-4`}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={value && option.value === value}
              defaultChecked={defaultValue && option.value === defaultValue}
              onChange={() => onChange?.(option.value)}
              className={RADIO}
            />
            <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-4">
              <span>
                <span className="block font-medium text-ink">{option.label}</span>
                {option.detail && <span className="block text-body">{option.detail}</span>}
              </span>
              {option.aside && <span className="text-ink tabular-nums">{option.aside}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
