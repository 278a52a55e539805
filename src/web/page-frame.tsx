import type { ReactNode } from 'react';
import { ChatWidget } from '../chat/chat-widget.tsx';
import { type Site, SiteProvider } from '../platform/site.ts';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { PageFailure, useMarkReady } from '../ui/page-failure.tsx';
import { Toaster } from '../ui/toast/toaster.tsx';

interface PageFrameProps {
  site: Site;
  navbar: ReactNode;
  footer: ReactNode;
  mainClass?: string;
  /** Whether the chat starts closed even if it was open on the page before. */
  chatStartsClosed?: boolean;
  children: ReactNode;
}

/** The frame that the public and the checkout document share. */
export function PageFrame({
  site,
  navbar,
  footer,
  mainClass,
  chatStartsClosed = false,
  children,
}: PageFrameProps) {
  useMarkReady();
  return (
    <SiteProvider value={site}>
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      {navbar}
      <main id="main" tabIndex={-1} className={mainClass}>
        <FailureBoundary fallback={<PageFailure />}>{children}</FailureBoundary>
      </main>
      {footer}
      <ChatWidget startsClosed={chatStartsClosed} />
      <Toaster />
    </SiteProvider>
  );
}
