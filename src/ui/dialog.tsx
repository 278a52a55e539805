import { type ReactNode, useEffect, useId, useRef } from 'react';
import { CloseButton } from './button.tsx';
import { pathOfFocus, restoreFocus } from './focus.tsx';
import { useNothingPressedBefore } from './presses.ts';
import { stayAboveKeyboard } from './stay-above-keyboard.ts';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  subtitle?: string;
  /** Beside the title, above the second column; on a phone below it. */
  beside?: ReactNode;
  /** Wide enough for two columns on a desktop. */
  wide?: boolean;
  /** Looks modal but is not: a modal dialog would block the payment provider's own window. */
  aside?: boolean;
  children: ReactNode;
}

/** Toasts at the top must not cover the dialog's heading or close button. */
const ROOM_FOR_TOAST =
  'max-sm:has-data-variant:[--room:7.5rem] sm:max-lg:has-data-variant:[--room:15rem] short:has-data-variant:[--room:7.5rem]';
/** Beside a panel as high as the dialog, whose top stays where the highest fits. */
const WITH_PANEL =
  'lg:has-data-panel:[--top:max(1.5rem,50dvh-23.5rem)] lg:has-data-panel:mt-(--top) lg:has-data-panel:[--room:calc(1.5rem+var(--top))] lg:has-data-panel:bg-[linear-gradient(to_right,var(--color-paper)_26rem,var(--color-surface)_0)]';
/** The whole dialog scrolls, at the foot of the screen. */
const SHORT =
  'short:mb-(--keyboard,0px) short:overflow-y-auto short:scroll-pt-12 short:scroll-pb-4 short:rounded-b-none';

/**
 * A modal <dialog>. The focus starts at its first field, otherwise at the close button. The second
 * half of the press that opened it does nothing.
 */
export function Dialog(props: DialogProps) {
  const { open, onClose, title, subtitle, beside, wide = false, aside = false, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const openedFrom = useRef<readonly Element[]>([]);
  const id = useId();
  useNothingPressedBefore(open);

  useEffect(() => {
    dialog.current?.close();
    // The browser has done it, unless what was done here has removed the button that opened it.
    if (!open) return restoreFocus(openedFrom.current);
    openedFrom.current = pathOfFocus();
    keepRoomForScrollbar();
    if (aside) dialog.current?.show();
    else dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
    return dialog.current ? stayAboveKeyboard(dialog.current) : undefined;
  }, [open, aside]);

  const says = subtitle && (
    <p id={`${id}-subtitle`} className="mt-1 text-sm">
      {subtitle}
    </p>
  );
  return (
    <dialog
      ref={dialog}
      closedby={aside ? 'none' : 'any'}
      aria-labelledby={`${id}-title`}
      aria-describedby={subtitle && `${id}-subtitle`}
      // The event is asynchronous: the dialog may have been opened again since.
      onClose={() => {
        if (!dialog.current?.open) onClose();
      }}
      className={`m-auto max-h-[calc(100dvh-var(--room,2.375rem)-var(--keyboard,0px))] w-full max-w-lg flex-col overflow-hidden rounded-card open:flex bg-surface text-body shadow-raised backdrop:bg-night/60 max-sm:mb-(--keyboard,0px) max-sm:rounded-b-none max-sm:[--room:1rem] ${SHORT} ${ROOM_FOR_TOAST} ${WITH_PANEL} ${wide ? 'lg:max-w-[60rem]' : ''} ${
        aside ? 'fixed inset-0 z-50 outline-[100vmax] outline-night/60' : ''
      }`}
    >
      {open && (
        <>
          <div className="flex shrink-0 items-start gap-x-4 px-6 py-5 max-lg:flex-wrap border-line max-sm:has-data-beside:border-b max-sm:has-data-beside:pt-3.5 max-sm:has-data-beside:pb-2 sm:px-8 lg:has-data-beside:gap-x-16 lg:has-data-beside:pt-7">
            <div className="min-w-0 flex-1 lg:has-[+[data-beside]]:max-w-88">
              <h2 id={`${id}-title`} className="text-xl tracking-tight">
                {title}
              </h2>
              {!beside && says}
            </div>
            {beside && (
              <div data-beside className="max-lg:order-last max-lg:w-full lg:flex-1">
                {beside}
                {says}
              </div>
            )}
            <CloseButton aria-label="Close" onClick={onClose} className="-mt-2 -mr-2" />
          </div>
          {/* On a tall screen only the content scrolls, and no scrollbar clips a round corner. */}
          <div className="min-h-0 scroll-pt-12 scroll-pb-4 overflow-y-auto px-6 pb-6 [scrollbar-width:thin] short:shrink-0 short:overflow-visible sm:px-8 sm:pb-8 has-data-dialog-foot:scroll-pb-24 has-[[data-dialog-foot]_p]:scroll-pb-56 in-data-keyboard:scroll-pb-4!">
            {children}
          </div>
        </>
      )}
    </dialog>
  );
}

/** The page behind does not scroll, and must not move sideways for that. */
function keepRoomForScrollbar(): void {
  const { style, clientWidth } = document.documentElement;
  style.setProperty('--gutter', clientWidth < window.innerWidth ? 'stable' : 'auto');
}

/**
 * The foot of a form in a dialog: sticky, except on a short screen. Above a phone's keyboard, one
 * with words would leave no room for the fields.
 */
export function DialogFoot({ notice, children }: { notice?: ReactNode; children: ReactNode }) {
  return (
    <>
      {/* Not in the foot, which would cover the fields if it were higher than its button. */}
      {notice && (
        <div ref={scrollIntoView} className="col-span-full grid gap-3">
          {notice}
        </div>
      )}
      <div
        data-dialog-foot
        className="sticky -bottom-6 z-10 col-span-full has-[p]:in-data-keyboard:static short:static -mx-6 -mb-6 grid gap-3 border-t border-line bg-surface px-6 py-4 has-[p]:gap-2.5 has-[p]:pt-1 max-sm:has-[p]:pb-3 sm:-bottom-8 sm:has-[p]:gap-4 max-sm:has-[p]:shadow-[0_-0.25rem_0.5rem_var(--color-surface)] sm:-mx-8 sm:-mb-8 sm:px-8"
      >
        {children}
      </div>
    </>
  );
}

function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
