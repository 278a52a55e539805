import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import { useId, useRef, useState } from 'react';
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
  const [copied, setCopied] = useState(false);
  const id = useId();
  const field = useRef<HTMLInputElement>(null);

  /** execCommand, because navigator.clipboard needs https, which a local test may lack. */
  function copy() {
    field.current?.select();
    setCopied(document.execCommand('copy'));
  }

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
          className="min-w-0 text-sm sm:flex-1"
        />
        <Button variant={isPrimary ? 'primary' : 'quiet'} onClick={copy} className="h-12">
          {copied ? <Check className="size-4" /> : <Copy className="size-4" />}
          <span>{copied ? 'Copied' : 'Copy'}</span>
        </Button>
      </div>
      <p role="status" className="sr-only">
        {copied && 'The link is copied'}
      </p>
    </div>
  );
}
