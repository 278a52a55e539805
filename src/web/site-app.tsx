/** The public document: the page that the address names, in its frame. */
import { Navbar } from '../company/navbar.tsx';
import type { Site } from '../platform/site.ts';
import { FailureBoundary, lazyPart } from '../ui/failure-boundary.tsx';
import { PageFrame } from './page-frame.tsx';
import type { PageView, ShownPage } from './pages.ts';

const Footer = lazyPart(async () => (await import('../company/footer.tsx')).Footer);

/** What the document's HTML carries for the browser. */
export interface SiteData {
  site: Site;
  view: PageView;
}

export function SiteApp({ site, shown: { Page, content } }: { site: Site; shown: ShownPage }) {
  return (
    <PageFrame
      site={site}
      navbar={<Navbar />}
      footer={
        <FailureBoundary>
          <Footer />
        </FailureBoundary>
      }
    >
      <Page content={content as never} />
    </PageFrame>
  );
}
