import './ui/theme.css';
import { hydrateRoot } from 'react-dom/client';
import { AdminApp, type AdminData } from './admin-app.tsx';
import { readPageData } from './platform/page-data.browser.ts';
import { startTooltips } from './ui/tooltips.ts';

startTooltips();
const root = document.getElementById('root');
if (root) hydrateRoot(root, <AdminApp data={readPageData<AdminData>()} />);
