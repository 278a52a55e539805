import { hydrateRoot } from 'react-dom/client';
import { readPageData } from './platform/browser/page-data.ts';
import { startPrinting } from './ui/start-printing.ts';
import { startTooltips } from './ui/tooltips.ts';
import { AdminApp, type AdminData } from './web/admin-app.tsx';

startTooltips();
startPrinting();
const root = document.getElementById('root');
if (root) hydrateRoot(root, <AdminApp data={readPageData<AdminData>()} />);
