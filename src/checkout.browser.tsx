import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { checkoutDocument } from './checkout/checkout-data.ts';
import { readPageData } from './platform/browser/page-data.browser.ts';
import { showPageFailure } from './ui/page-failure.tsx';
import { startTooltips } from './ui/tooltips.ts';
import { CheckoutApp, loadPages } from './web/checkout-app.tsx';

startTooltips();
const root = document.getElementById('root');
const data = readPageData(checkoutDocument);
if (!data) showPageFailure();
else if (root) {
  const pages = await loadPages([data.page]);
  // In slices, so that a slow phone answers a finger in between.
  startTransition(() => void hydrateRoot(root, <CheckoutApp data={data} pages={pages} />));
}
