import './ui/theme.css';
import { hydrateRoot } from 'react-dom/client';
import { readPageData } from './platform/page-data.browser.ts';
import { loadPage, SiteApp, type SiteData } from './site-app.tsx';

const { site, view } = readPageData<SiteData>();
const root = document.getElementById('root');
// The page's own module first, so that the first drawing equals what the server sent.
const first = await loadPage(view);
if (root) hydrateRoot(root, <SiteApp site={site} first={first} />);
