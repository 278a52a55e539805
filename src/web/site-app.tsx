/** The public document: its frame, and the page that the address names. */
import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { ChatWidget } from '../chat/chat-widget.tsx';
import { Footer } from '../company/footer.tsx';
import { Navbar } from '../company/navbar.tsx';
import { newQueryClient } from '../platform/browser/query-client.ts';
import { type Site, SiteProvider } from '../platform/site.ts';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { useMarkReady } from '../ui/mark-ready.ts';
import { PageFailure } from '../ui/page-failure.tsx';
import { Toaster } from '../ui/toast/toaster.tsx';
import type { PageView, ShownPage } from './pages.ts';

/** What the document's HTML carries for the browser. */
export interface SiteData {
  site: Site;
  view: PageView;
}

export function SiteApp({ site, shown: { Page, content } }: { site: Site; shown: ShownPage }) {
  const [queryClient] = useState(newQueryClient);
  useMarkReady();
  return (
    <SiteProvider value={site}>
      <QueryClientProvider client={queryClient}>
        <a href="#main" className="skip-link">
          Skip to content
        </a>
        <Navbar />
        <main id="main" tabIndex={-1}>
          <FailureBoundary fallback={<PageFailure />}>
            <Page content={content as never} />
          </FailureBoundary>
        </main>
        <Footer />
        <ChatWidget />
        <Toaster />
      </QueryClientProvider>
    </SiteProvider>
  );
}
