/** The public document. */
import { Footer } from '../company/footer.tsx';
import { Navbar } from '../company/navbar.tsx';
import { PageFrame } from './page-frame.tsx';
import type { Page, PageView } from './pages.ts';

export function SiteApp({ view, Page }: { view: PageView; Page: Page }) {
  return (
    <PageFrame navbar={<Navbar />} footer={<Footer />}>
      <Page content={view.content} />
    </PageFrame>
  );
}
