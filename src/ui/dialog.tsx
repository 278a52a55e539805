import X from 'lucide-react/icons/x';
import { type ReactNode, useEffect, useId, useRef } from 'react';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  subtitle?: string;
  /** Room for two columns on a desk. */
  wide?: boolean;
  children: ReactNode;
}

/**
 * A modal window on the browser's own <dialog>: it keeps focus inside, closes on Escape, and gives focus
 * back to what opened it. `closedby` adds the press on the backdrop. It begins at the element that is marked
 * `data-first-focus`, otherwise at its close button.
 */
export function Dialog({ open, onClose, title, subtitle, wide = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();

  useEffect(() => {
    if (!open) return dialog.current?.close();
    if (!dialog.current?.open) dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('[data-first-focus]')?.focus();
  }, [open]);

  return (
    <dialog
      ref={dialog}
      closedby="any"
      aria-labelledby={`${id}-title`}
      aria-describedby={subtitle && `${id}-subtitle`}
      onClose={() => {
        renewCaret();
        onClose();
      }}
      className={`m-auto w-full max-w-lg rounded-card bg-white text-body shadow-raised backdrop:bg-ink/60 max-sm:mb-0 max-sm:rounded-b-none ${wide ? 'lg:max-w-4xl' : ''}`}
    >
      {open && (
        <div className="p-6 sm:p-8">
          <div className="mb-6 flex items-start justify-between gap-4">
            <div>
              <h2 id={`${id}-title`} className="text-xl tracking-tight">
                {title}
              </h2>
              {subtitle && (
                <p id={`${id}-subtitle`} className="mt-1 text-sm">
                  {subtitle}
                </p>
              )}
            </div>
            <button
              type="button"
              onClick={onClose}
              aria-label="Close"
              data-tooltip
              className="-mt-2 -mr-2 grid size-11 shrink-0 place-items-center rounded-control text-muted hover:bg-paper-deep hover:text-ink"
            >
              <X className="size-5" />
            </button>
          </div>
          {children}
        </div>
      )}
    </dialog>
  );
}

/** Chromium gives the focus back to a text field without its caret: typing would do nothing. */
function renewCaret() {
  const field = document.activeElement;
  if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) return;
  field.blur();
  field.focus({ preventScroll: true });
}
