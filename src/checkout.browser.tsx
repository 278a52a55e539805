import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { rememberFirstVisit } from './attribution/first-visit.ts';
import type { CheckoutDocument } from './checkout/checkout-data.ts';
import { readPageData } from './platform/site.ts';
import { startTooltips } from './ui/tooltips.ts';
import { CheckoutApp, findCheckoutPage } from './web/checkout-app.tsx';

rememberFirstVisit();
startTooltips();
const root = document.getElementById('root');
const data = readPageData<CheckoutDocument>();
const { default: Page } = await findCheckoutPage(data.page).load();
// As a transition, so that a slow phone stays responsive while the page hydrates.
if (root) startTransition(() => void hydrateRoot(root, <CheckoutApp data={data} Page={Page} />));
