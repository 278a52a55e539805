/** The public document: its frame, and the page that the address names. Moves inside it load no new document. */
import { useState } from 'react';
import { Router } from 'wouter';
import { ChatButton } from '../chat/chat-button.tsx';
import { Footer } from '../company/footer.tsx';
import { Navbar } from '../company/navbar.tsx';
import { PageHead } from '../pages/page-head.tsx';
import type { PageView, ShownPage } from '../pages/pages.ts';
import { useShownPage } from '../pages/use-shown-page.ts';
import { type Site, SiteProvider } from '../platform/site.ts';
import { FailureBoundary, PageFailure } from '../ui/failure-boundary.tsx';
import { Toaster } from '../ui/toast/toaster.tsx';

/** What the document's HTML carries for the browser. */
export interface SiteData {
  site: Site;
  view: PageView;
}

interface SiteAppProps {
  site: Site;
  first: ShownPage;
}

export function SiteApp({ site, first }: SiteAppProps) {
  return (
    <SiteProvider value={site}>
      <Router ssrPath={first.view.path}>
        <SiteFrame first={first} />
      </Router>
    </SiteProvider>
  );
}

function SiteFrame({ first }: { first: ShownPage }) {
  const { view, Page } = useShownPage(first);
  return (
    <>
      <PageHead view={view} />
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <Navbar activePath={view.path} />
      <main id="main" tabIndex={-1}>
        <FailureBoundary key={view.path} fallback={<PageFailure />}>
          <Page content={view.content as never} />
        </FailureBoundary>
      </main>
      <Announcement title={view.title} />
      <Footer />
      <ChatButton />
      <Toaster />
    </>
  );
}

/** Says the title of each page that is moved to; the first one the browser has said itself. */
function Announcement({ title }: { title: string }) {
  const [first] = useState(title);
  const [moved, setMoved] = useState(false);
  if (title !== first && !moved) setMoved(true);
  return (
    <p role="status" className="sr-only">
      {moved && title}
    </p>
  );
}
