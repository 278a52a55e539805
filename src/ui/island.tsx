import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createContext, type ReactElement, type ReactNode, use, useEffect } from 'react';
import { type PublicSite, SiteProvider } from '../platform/site.ts';
import { FailureBoundary } from './failure-boundary.tsx';

/** The islands of the page that is being rendered, in order. */
export const IslandList = createContext<ReactElement<object>[]>([]);

/**
 * A part of a finished page that React operates; the rest is never hydrated. Its props are in the
 * page's data, so they are JSON. render.server.tsx renders it apart: `useId` depends on the tree.
 */
export function Island({ children }: { children: ReactElement<object> }) {
  const place = use(IslandList).push(children) - 1;
  return <div data-island={place} className="contents" />;
}

/** How the element of an island begins in the page's HTML. */
export const islandStart = (place: number) => `<div data-island="${place}" class="contents">`;
/** Of the ids that `useId` makes in it. */
export const islandPrefix = (place: number) => `island-${place}-`;

interface IslandRootProps {
  site: PublicSite;
  client: QueryClient;
  onHydrated?: () => void;
  children: ReactNode;
}

/** What surrounds an island, on the server as in the browser. If it fails, it fails alone. */
export function IslandRoot({ site, client, onHydrated, children }: IslandRootProps) {
  useEffect(() => onHydrated?.(), [onHydrated]);
  return (
    <SiteProvider value={site}>
      <QueryClientProvider client={client}>
        <FailureBoundary>{children}</FailureBoundary>
      </QueryClientProvider>
    </SiteProvider>
  );
}
