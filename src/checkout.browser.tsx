import './ui/theme.css';
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { CheckoutApp, type CheckoutDocument } from './checkout/checkout-app.tsx';
import { readPageData } from './platform/page-data.browser.ts';
import { startTooltips } from './ui/tooltips.ts';

startTooltips();
const root = document.getElementById('root');
const data = readPageData<CheckoutDocument>();
// In slices, so that a slow phone answers a finger in between.
if (root) startTransition(() => void hydrateRoot(root, <CheckoutApp data={data} />));
