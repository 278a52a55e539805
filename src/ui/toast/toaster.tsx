import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react';
import { currentToast, onToastChange, showCarriedToast, type Toast } from './toast.ts';

type ToastRegion = ComponentType<{ toast: Toast | null; focused: boolean }>;

/** Fetches what draws toasts; to be called early where the network may be what the toast will complain about. */
export function prepareToasts(): Promise<ToastRegion> {
  return import('./toast-region.tsx').then(({ ToastRegion }) => ToastRegion);
}

/** The place of toasts in a document's frame. What draws them is loaded with the first one, or when F8 asks for it. */
export function Toaster() {
  const toast = useSyncExternalStore(onToastChange, currentToast, () => null);
  const [Region, setRegion] = useState<ToastRegion>();
  const [askedFor, setAskedFor] = useState(false);
  const wanted = toast !== null || askedFor;

  useEffect(showCarriedToast, []);

  useEffect(() => {
    if (Region) return;
    const ask = (event: KeyboardEvent) => event.key === 'F8' && setAskedFor(true);
    document.addEventListener('keydown', ask);
    return () => document.removeEventListener('keydown', ask);
  }, [Region]);

  useEffect(() => {
    // A failure leaves the page as it is: what shows a toast also says what matters in its own place.
    if (wanted && !Region) prepareToasts().then((loaded) => setRegion(() => loaded), console.error);
  }, [wanted, Region]);

  return Region ? <Region toast={toast} focused={askedFor} /> : null;
}
