import { rememberFirstVisit } from './attribution/first-visit.ts';
import type { CheckoutDocument } from './checkout/checkout-data.ts';
import { readPageData } from './platform/site.ts';
import { hydratePage } from './ui/hydrate.ts';
import { startTooltips } from './ui/tooltips.ts';
import { CheckoutApp, findCheckoutPage } from './web/checkout-app.tsx';

rememberFirstVisit();
startTooltips();
const data = readPageData<CheckoutDocument>();
const { default: Page } = await findCheckoutPage(data.page).load();
hydratePage(<CheckoutApp data={data} Page={Page} />);
