/** The public document. */
import { Navbar } from '../company/navbar.tsx';
import { FailureBoundary, lazyWithRetry } from '../ui/failure-boundary.tsx';
import { PageFrame } from './page-frame.tsx';
import type { Page, SiteData } from './pages.ts';

const Footer = lazyWithRetry(async () => (await import('../company/footer.tsx')).Footer);

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
