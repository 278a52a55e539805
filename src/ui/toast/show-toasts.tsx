import { createRoot } from 'react-dom/client';
import { Toaster } from './toaster.tsx';

let isShown = false;

/** Of what shows toasts, and so brings their script: screen readers must know the region before. */
export function showToasts(): void {
  if (!isShown) createRoot(document.createElement('div')).render(<Toaster />);
  isShown = true;
}
