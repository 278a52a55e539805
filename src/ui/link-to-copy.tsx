import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import { type ComponentProps, useId, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { TextInput } from './fields.tsx';

interface LinkToCopyProps {
  label: string;
  url: string;
  /** False where it does not replace the pressed button, in a dialog or beside it. */
  autoFocus?: boolean;
  /** Where copying it is what to do next. */
  isPrimary?: boolean;
}

/** A link to pass on. If the button cannot copy it, it is at least selected. */
export function LinkToCopy(props: LinkToCopyProps) {
  const { label, url, autoFocus = true, isPrimary = false } = props;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  return (
    <div>
      <label htmlFor={id} className="text-sm font-medium text-ink">
        {label}
      </label>
      <div className="mt-2 flex gap-2 max-sm:flex-col">
        <TextInput
          ref={field}
          id={id}
          autoFocus={autoFocus}
          readOnly
          value={url}
          onFocus={({ target }) => target.select()}
          className="min-w-0 text-sm text-ellipsis sm:flex-1"
        />
        <CopyButton
          select={() => field.current?.select()}
          done="The link is copied"
          variant={isPrimary ? 'primary' : 'quiet'}
          className="h-12"
        />
      </div>
    </div>
  );
}

interface CopyButtonProps extends ComponentProps<typeof Button> {
  /** Selects what is copied. */
  select: () => void;
  done: string;
}

/** By execCommand: navigator.clipboard needs https, which a local test may lack. */
export function CopyButton({ select, done, ...button }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  function copy() {
    select();
    setCopied(document.execCommand('copy'));
  }
  return (
    <>
      <Button variant="quiet" onClick={copy} {...button}>
        {copied ? <Check className="size-4" /> : <Copy className="size-4" />}
        <span>{copied ? 'Copied' : 'Copy'}</span>
      </Button>
      <p role="status" className="sr-only">
        {copied && done}
      </p>
    </>
  );
}
