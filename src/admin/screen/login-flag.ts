/** The browser's own word that somebody has signed in, which all its tabs share. */
import { useEffect } from 'react';

const FLAG = 'admin_authenticated';

/** Where the browser forbids storage, everybody signs in with each document. */
export function hasFlag(): boolean {
  try {
    return localStorage.getItem(FLAG) === 'true';
  } catch {
    return false;
  }
}

export function setFlag(signedIn: boolean): void {
  try {
    if (signedIn) localStorage.setItem(FLAG, 'true');
    else localStorage.removeItem(FLAG);
  } catch {
    // Nothing was stored that would have to go.
  }
}

/** Signing in or out in another tab counts here as well, and a page that comes back from the browser’s cache asks again. */
export function useOtherTabs(signedIn: boolean, changed: () => void) {
  useEffect(() => {
    const hear = ({ key, storageArea }: StorageEvent) => {
      const concerned = storageArea === localStorage && (key === FLAG || key === null);
      if (concerned && hasFlag() !== signedIn) changed();
    };
    const revived = ({ persisted }: PageTransitionEvent) => {
      if (persisted) changed();
    };
    window.addEventListener('storage', hear);
    window.addEventListener('pageshow', revived);
    return () => {
      window.removeEventListener('storage', hear);
      window.removeEventListener('pageshow', revived);
    };
  }, [signedIn, changed]);
}
