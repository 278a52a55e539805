import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import X from 'lucide-react/icons/x';
import {
  type FocusEvent,
  type PointerEvent,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { createPortal } from 'react-dom';
import { onEvent } from '../../platform/browser/on-event.ts';
import {
  currentToast,
  dismissToast,
  onToastChange,
  showPendingToast,
  TOAST_MS,
  type Toast,
} from './toast.ts';

const SWIPE_PX = 50;

/** The region that toasts appear in. F8 moves the focus there. */
export function Toaster() {
  const toast = useSyncExternalStore(onToastChange, currentToast, () => null);
  const container = useSyncExternalStore(onModalChange, topmostContainer, () => null);
  const region = useRef<HTMLElement>(null);
  const { paused, pauseProps } = usePause();
  const open = toast?.open === true;

  useEffect(showPendingToast, []);

  useEffect(() => {
    const focus = ({ key }: KeyboardEvent) => key === 'F8' && region.current?.focus();
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);

  // The time restarts for a new toast, an updated one, and one that the pointer or focus has left.
  useEffect(() => {
    if (!open || paused) return;
    const end = setTimeout(dismissToast, TOAST_MS, toast.id);
    return () => clearTimeout(end);
  }, [open, toast, paused]);

  if (!container) return null;
  const card = open && <ToastCard toast={toast} onClose={() => region.current?.focus()} />;
  const urgent = toast?.variant === 'destructive';
  return createPortal(
    <section
      ref={region}
      aria-label="Notifications (F8)"
      tabIndex={-1}
      // As wide as a phone, so that no button of a bar at the foot is half covered. In the panel of
      // a dialog under its words.
      className="toasts fixed left-6 z-50 w-96 rounded-card lg:in-[dialog:has([data-panel])]:absolute lg:in-[dialog:has([data-panel])]:bottom-2 lg:in-[dialog:has([data-panel])]:left-4 max-sm:inset-x-2 max-sm:w-auto print:hidden"
      {...pauseProps}
    >
      {/* Screen readers announce content that is added to an existing live region. */}
      <div role="status">{!urgent && card}</div>
      <div role="status" aria-live="assertive">
        {urgent && card}
      </div>
    </section>,
    container,
  );
}

function ToastCard({ toast, onClose }: { toast: Toast; onClose: () => void }) {
  const { id, title, description, variant = 'default' } = toast;
  const urgent = variant === 'destructive';
  const Icon = urgent ? CircleAlert : CircleCheck;
  const swipe = useSwipe(() => dismissToast(id));
  return (
    <ol>
      <li
        {...swipe}
        data-variant={variant}
        className={`flex [touch-action:pan-y] items-start gap-3 rounded-card p-4 text-sm shadow-raised transition-opacity duration-150 select-none motion-safe:starting:translate-y-2 starting:opacity-0 ${
          urgent
            ? 'bg-danger-soft text-danger inset-ring inset-ring-danger/40'
            : 'on-night inset-ring inset-ring-night-line [&>button]:text-white'
        }`}
      >
        <Icon className={`mt-0.5 size-5 shrink-0 ${urgent ? '' : 'text-tide'}`} />
        <div key={id} className="min-w-0 flex-1 wrap-anywhere">
          <p className={`font-semibold ${urgent ? '' : 'text-white'}`}>{title}</p>
          {description && <p className="mt-0.5">{description}</p>}
        </div>
        <button
          type="button"
          aria-label="Close notification"
          data-tooltip
          onClick={() => {
            onClose();
            dismissToast(id);
          }}
          className="-m-2 grid size-10 shrink-0 place-items-center rounded-control hover:bg-current/15"
        >
          <X className="size-4.5" />
        </button>
      </li>
    </ol>
  );
}

/** Pauses what moves by itself under pointer or keyboard focus, or in a hidden tab. */
function usePause() {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const hidden = useSyncExternalStore(
    onVisibilityChange,
    () => document.hidden,
    () => false,
  );
  return {
    paused: hovered || focused || hidden,
    pauseProps: {
      onPointerEnter: (event: PointerEvent) => setHovered(event.pointerType !== 'touch'),
      onPointerLeave: () => setHovered(false),
      onFocus: (event: FocusEvent) => setFocused(event.target.matches(':focus-visible')),
      onBlur: () => setFocused(false),
    },
  };
}

const onVisibilityChange = onEvent('visibilitychange');

/** The toast follows the pointer to the right; beyond SWIPE_PX it is dismissed. */
function useSwipe(onSwiped: () => void) {
  const [start, setStart] = useState<number>();
  const [moved, setMoved] = useState(0);
  const stop = () => {
    setStart(undefined);
    setMoved(0);
  };
  return {
    style: { translate: moved },
    onPointerDown: ({ clientX }: PointerEvent) => setStart(clientX),
    onPointerMove: ({ clientX }: PointerEvent) =>
      start !== undefined && setMoved(Math.max(0, clientX - start)),
    onPointerUp: () => (moved >= SWIPE_PX ? onSwiped() : stop()),
    onPointerCancel: stop,
    onPointerLeave: stop,
  };
}

/** All outside an open modal dialog is inert, so a toast must be inside it. */
function topmostContainer(): Element {
  return [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body;
}

function onModalChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.body, { subtree: true, attributeFilter: ['open'] });
  return () => observer.disconnect();
}
