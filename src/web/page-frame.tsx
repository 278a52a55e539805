import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ChatWidget } from '../chat/chat-widget.tsx';
import { newQueryClient } from '../platform/browser/query-client.ts';
import { type PublicSite, SiteProvider } from '../platform/site.ts';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { PageFailure, useMarkReady } from '../ui/page-failure.tsx';
import { Toaster } from '../ui/toast/toaster.tsx';

interface PageFrameProps {
  site: PublicSite;
  navbar: ReactNode;
  footer: ReactNode;
  mainClass?: string;
  /** Whether the chat starts closed even if it was open on the page before. */
  chatStartsClosed?: boolean;
  children: ReactNode;
}

export function PageFrame({
  site,
  navbar,
  footer,
  mainClass,
  chatStartsClosed = false,
  children,
}: PageFrameProps) {
  useMarkReady();
  const [client] = useState(newQueryClient);
  return (
    <SiteProvider value={site}>
      <QueryClientProvider client={client}>
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
      </QueryClientProvider>
    </SiteProvider>
  );
}
