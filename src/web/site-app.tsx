/** The public document. */
import { Footer } from '../company/footer.tsx';
import { Navbar } from '../company/navbar.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { PageFrame } from './page-frame.tsx';
import type { Page, SiteData } from './pages.ts';

export function SiteApp({ site, view, Page }: SiteData & { Page: Page }) {
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
      <Page content={view.content} />
    </PageFrame>
  );
}
