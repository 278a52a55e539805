/** The public document: its frame, and the page that the address names. Moves inside it load no new document. */
import type { ComponentType } from 'react';
import { Router } from 'wouter';
import { Footer } from './company/footer.tsx';
import { Navbar } from './company/navbar.tsx';
import { PageHead } from './page-head.tsx';
import { type PageView, pageModules } from './pages.ts';
import { type Site, SiteProvider } from './platform/site.ts';
import { Toaster } from './ui/toaster.tsx';
import { useShownPage } from './use-shown-page.ts';

/** A page that is ready to be drawn. */
export interface ShownPage {
  view: PageView;
  Page: ComponentType<{ content: never }>;
}

/** What the document's HTML carries for the browser. */
export interface SiteData {
  site: Site;
  view: PageView;
}

export async function loadPage(view: PageView): Promise<ShownPage> {
  const { default: Page } = await pageModules[view.name]();
  return { view, Page: Page as ShownPage['Page'] };
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
        <Page key={view.path} content={view.content as never} />
      </main>
      <Footer />
      <Toaster />
    </>
  );
}
