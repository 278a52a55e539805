import { useEffect, useState } from 'react';

const ENTRY = { dialog: 'payment' };

/** A dialog with an entry in the history: the back button closes it, as people on phones expect. */
export function useDialogEntry() {
  const [open, setOpen] = useState(false);

  useEffect(() => {
    const follow = () => setOpen(false);
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, []);

  return {
    open,
    show() {
      window.history.pushState(ENTRY, '');
      setOpen(true);
    },
    hide() {
      if (open && window.history.state?.dialog === ENTRY.dialog) window.history.back();
      else setOpen(false);
    },
  };
}
