// With the document: nothing fetches the styles of a part that comes later.
import 'uplot/dist/uPlot.min.css';
import { hydrateRoot } from 'react-dom/client';
import { AdminApp, readAdminData } from './documents/admin-app.tsx';
import { readPageData } from './platform/browser/page-data.browser.ts';
import { showPageFailure } from './ui/show-page-failure.ts';
import { startTooltips } from './ui/tooltips.ts';

startTooltips();
const root = document.getElementById('root');
const data = readPageData(readAdminData);
if (!data) showPageFailure();
else if (root) hydrateRoot(root, <AdminApp data={data} />);
