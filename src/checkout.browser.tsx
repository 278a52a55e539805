import type { CheckoutDocument } from './checkout/checkout-data.ts';
import { readPageData } from './platform/browser/page-data.ts';
import { hydrateIslands } from './ui/hydrate.tsx';
import { showToasts } from './ui/toast/show-toasts.tsx';
import { CheckoutContent, findCheckoutPage } from './web/checkout-pages.tsx';
import { startShell } from './web/shell.ts';

startShell();
showToasts();
const data = readPageData<CheckoutDocument>();
const { default: Page } = await findCheckoutPage(data.page).load();
void hydrateIslands(data.site, [[0, <CheckoutContent key="page" data={data} Page={Page} />]]);
