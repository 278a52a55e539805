import X from 'lucide-react/icons/x';
import { type ReactNode, useEffect, useId, useRef } from 'react';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  subtitle?: string;
  /** Room for two columns on a desk. */
  wide?: boolean;
  /** For as long as another window of somebody else's must be reached: the page is not blocked, the look stays. */
  aside?: boolean;
  children: ReactNode;
}

/**
 * A modal window on the browser's own <dialog>: it keeps focus inside, closes on Escape, and gives focus
 * back to what opened it. `closedby` adds the press on the backdrop. It begins at the element that is marked
 * `data-first-focus`, otherwise at its close button.
 */
export function Dialog(props: DialogProps) {
  const { open, onClose, title, subtitle, wide = false, aside = false, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();

  useEffect(() => {
    dialog.current?.close();
    if (!open) return;
    if (aside) dialog.current?.show();
    else dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('[data-first-focus]')?.focus();
  }, [open, aside]);

  return (
    <dialog
      ref={dialog}
      closedby={aside ? 'none' : 'any'}
      aria-labelledby={`${id}-title`}
      aria-describedby={subtitle && `${id}-subtitle`}
      // The event comes late: a dialog that has been opened anew since was not closed by anybody.
      onClose={() => {
        if (dialog.current?.open) return;
        renewCaret();
        onClose();
      }}
      className={`m-auto w-full max-w-lg flex-col overflow-hidden rounded-card open:flex bg-white text-body shadow-raised backdrop:bg-ink/60 max-sm:mb-0 max-sm:rounded-b-none ${wide ? 'lg:max-w-4xl' : ''} ${
        aside
          ? 'fixed inset-0 z-50 max-h-[calc(100dvh-2.375rem)] outline-[100vmax] outline-ink/60'
          : ''
      }`}
    >
      {open && (
        // What scrolls is inside, so that its bar cuts no round corner.
        <div
          className={`min-h-0 overflow-y-auto p-6 [scrollbar-width:thin] sm:p-8 ${wide ? 'lg:py-6' : ''}`}
        >
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
