import { hydrateRoot } from 'react-dom/client';
import { readPageData } from './platform/browser/page-data.ts';
import { startTooltips } from './ui/tooltips.ts';
import { AdminApp, type AdminData } from './web/admin-app.tsx';

startTooltips();
const root = document.getElementById('root');
if (root) hydrateRoot(root, <AdminApp data={readPageData<AdminData>()} />);
