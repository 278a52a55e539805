import * as Radix from '@radix-ui/react-toast';
import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import X from 'lucide-react/icons/x';
import {
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
} from 'react';
import { createPortal } from 'react-dom';
import { dismissToast, TOAST_MS, type Toast } from './toast.ts';

const SWIPE_PX = 50;

interface ToastRegionProps {
  toast: Toast | null;
  focused: boolean;
}

/** Where the notifications are; F8 brings the keyboard there. `focused` when it was F8 that had this loaded. */
export function ToastRegion({ toast, focused }: ToastRegionProps) {
  const region = useRef<HTMLOListElement>(null);
  const container = useSyncExternalStore(onModalChange, topmost, () => null);

  useEffect(() => {
    if (focused) region.current?.focus();
  }, [focused]);

  if (!container) return null;
  return createPortal(
    <Radix.Provider
      duration={Number.POSITIVE_INFINITY}
      swipeDirection="right"
      swipeThreshold={SWIPE_PX}
      announcerContainer={container}
    >
      {toast && <ToastCard key={`${toast.id} ${toast.revision}`} toast={toast} region={region} />}
      <Radix.Viewport
        ref={region}
        hotkey={['F8']}
        label="Notifications ({hotkey})"
        // On a phone so wide that no button of the bar looks out from under them.
        className="toasts fixed left-6 z-50 w-96 rounded-card max-sm:inset-x-2 max-sm:w-auto print:hidden"
      />
    </Radix.Provider>,
    container,
  );
}

function ToastCard({ toast, region }: { toast: Toast; region: RefObject<HTMLElement | null> }) {
  const card = useRef<HTMLLIElement>(null);
  const { id, title, description, open, variant = 'default' } = toast;
  const destructive = variant === 'destructive';
  const Icon = destructive ? CircleAlert : CircleCheck;

  useCountdown(open, region, () => dismissToast(id));

  // Focus on a toast that is replaced stays among the notifications.
  useLayoutEffect(() => {
    const [element, refuge] = [card.current, region.current];
    return () => {
      if (element?.contains(document.activeElement)) refuge?.focus();
    };
  }, [region]);

  return (
    <Radix.Root
      ref={card}
      open={open}
      onOpenChange={(stays) => !stays && dismissToast(id)}
      type={destructive ? 'foreground' : 'background'}
      data-variant={variant}
      className={`flex items-start gap-3 rounded-card p-4 text-sm shadow-raised transition-[opacity,transform] duration-150 data-[swipe=cancel]:translate-x-0 data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=move]:transition-none motion-safe:starting:translate-y-2 starting:opacity-0 ${
        destructive
          ? 'bg-danger text-white [--focus:white]'
          : 'on-night inset-ring inset-ring-night-line'
      }`}
    >
      <Icon className={`mt-0.5 size-5 shrink-0 ${destructive ? '' : 'text-tide'}`} />
      <div className="min-w-0 flex-1 break-words">
        <Radix.Title className="font-semibold text-white">{title}</Radix.Title>
        {/* Keeps the two apart when they are read out. */ ' '}
        {description && <Radix.Description className="mt-0.5">{description}</Radix.Description>}
      </div>
      <Radix.Close
        aria-label="Close notification"
        data-tooltip
        className="-m-2 grid size-10 shrink-0 place-items-center rounded-control text-white hover:bg-white/15"
      >
        <X className="size-4.5" />
      </Radix.Close>
    </Radix.Root>
  );
}

/** Outside an open modal window everything is inert: a toast must be inside it to be heard and closed. */
function topmost(): Element {
  return [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body;
}

function onModalChange(listener: () => void): () => void {
  const watch = new MutationObserver(listener);
  watch.observe(document.body, { subtree: true, attributeFilter: ['open'] });
  return () => watch.disconnect();
}

/**
 * Time runs while nobody is at the notifications and the tab is seen; leaving them gives the toast its
 * full time again. Radix's own clock stays stopped for good once a toast was closed under the pointer.
 */
export function useCountdown(
  open: boolean,
  region: RefObject<HTMLElement | null>,
  onEnd: () => void,
) {
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    const place = region.current;
    if (!open || !place) return;
    let timer: ReturnType<typeof setTimeout>;
    const listening = new AbortController();
    const { signal } = listening;
    const restart = () => {
      clearTimeout(timer);
      const held = place.matches(':hover') || place.contains(document.activeElement);
      if (!held && !document.hidden) timer = setTimeout(() => end(), TOAST_MS);
    };
    for (const type of ['pointerenter', 'pointerleave', 'focusin', 'focusout']) {
      place.addEventListener(type, restart, { signal });
    }
    document.addEventListener('visibilitychange', restart, { signal });
    restart();
    return () => {
      clearTimeout(timer);
      listening.abort();
    };
  }, [open, region]);
}
