import { hydrateRoot } from 'react-dom/client';
import { readPageData } from './platform/browser/page-data.browser.ts';
import { showPageFailure } from './ui/page-failure.tsx';
import { startTooltips } from './ui/tooltips.ts';
import { AdminApp, adminData } from './web/admin-app.tsx';

startTooltips();
const root = document.getElementById('root');
const data = readPageData(adminData);
if (!data) showPageFailure();
else if (root) hydrateRoot(root, <AdminApp data={data} />);
