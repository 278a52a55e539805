/** The public document: its frame, and the page that the address names. Moves inside it load no new document. */
import { useState } from 'react';
import type { PageView, ShownPage } from '../pages/pages.ts';
import { part } from '../platform/browser/part.tsx';
import { type Site, SiteProvider } from '../platform/site.ts';
import { FailureBoundary } from '../ui/failure-boundary.tsx';

export const siteFrame = () => import('./site-frame.ts');
const PageHead = part(async () => (await siteFrame()).PageHead);
const Navbar = part(async () => (await siteFrame()).Navbar);
const Footer = part(async () => (await siteFrame()).Footer);
const ChatButton = part(async () => (await siteFrame()).ChatButton);
const Toaster = part(async () => (await siteFrame()).Toaster);
const PageFailure = part(async () => (await siteFrame()).PageFailure);
const Moves = part(async () => (await siteFrame()).Moves);

/** What the document's HTML carries for the browser. */
export interface SiteData {
  site: Site;
  view: PageView;
}

export function SiteApp({ site, first }: { site: Site; first: ShownPage }) {
  return (
    <SiteProvider value={site}>
      <SiteFrame first={first} />
    </SiteProvider>
  );
}

function SiteFrame({ first }: { first: ShownPage }) {
  const [{ view, Page }, show] = useState(first);
  return (
    <>
      <PageHead view={view} />
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <Navbar />
      <main id="main" tabIndex={-1}>
        <FailureBoundary key={view.path} fallback={<PageFailure />}>
          <Page content={view.content as never} />
        </FailureBoundary>
      </main>
      <Moves first={first} shown={view} show={show} />
      <Footer />
      <ChatButton />
      <Toaster />
    </>
  );
}
