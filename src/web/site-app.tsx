/** The public document: the page that the address names, in its frame. */
import { Footer } from '../company/footer.tsx';
import { Navbar } from '../company/navbar.tsx';
import type { Site } from '../platform/site.ts';
import { PageFrame } from './page-frame.tsx';
import type { PageView, ShownPage } from './pages.ts';

/** What the document's HTML carries for the browser. */
export interface SiteData {
  site: Site;
  view: PageView;
}

export function SiteApp({ site, shown: { Page, content } }: { site: Site; shown: ShownPage }) {
  return (
    <PageFrame site={site} navbar={<Navbar />} footer={<Footer />}>
      <Page content={content as never} />
    </PageFrame>
  );
}
