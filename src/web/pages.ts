/** The pages of the public document and the modules that draw them; site-pages.server.ts says where each is and what it shows. */
import type { ComponentProps, ReactNode } from 'react';
import type { Site } from '../platform/site.ts';

interface PageModule {
  /** What `load` imports, as the build names it: its scripts stand in the page's HTML. */
  module: string;
  load(): Promise<{ default: Page }>;
}

/** Given the content that was made for it. */
export type Page = (props: { content: never }) => ReactNode;

export const PAGE_MODULES = {
  home: {
    module: 'src/home/home-page.tsx',
    load: () => import('../home/home-page.tsx'),
  },
  news: {
    module: 'src/news/news-page.tsx',
    load: () => import('../news/news-page.tsx'),
  },
  article: {
    module: 'src/news/article-page.tsx',
    load: () => import('../news/article-page.tsx'),
  },
  text: {
    module: 'src/text-pages/text-page.tsx',
    load: () => import('../text-pages/text-page.tsx'),
  },
  resources: {
    module: 'src/resources/resources-page.tsx',
    load: () => import('../resources/resources-page.tsx'),
  },
  safeguards: {
    module: 'src/safeguards/safeguards-page.tsx',
    load: () => import('../safeguards/safeguards-page.tsx'),
  },
  /** What can be checked of the company, and samples of its work. */
  sheet: {
    module: 'src/trust/sheet-page.tsx',
    load: () => import('../trust/sheet-page.tsx'),
  },
  /** The answer to a message that was sent without script. */
  contact: {
    module: 'src/contact/contact-page.tsx',
    load: () => import('../contact/contact-page.tsx'),
  },
  /** At every address that has no page. */
  'not-found': {
    module: 'src/home/not-found-page.tsx',
    load: () => import('../home/not-found-page.tsx'),
  },
} as const satisfies Record<string, PageModule>;

type PageName = keyof typeof PAGE_MODULES;
type PageOf<Name extends PageName> = Awaited<
  ReturnType<(typeof PAGE_MODULES)[Name]['load']>
>['default'];

interface PageHead {
  /** The one true address of the page, without the origin. */
  path: string;
  title: string;
  description: string;
  /** The day on which it last changed; without it the page lists others that have one. */
  updated?: string;
  /** What is shown where the page is shared; the site's own picture without it. */
  picture?: { image: string; alt: string };
}

/** One page as finished data. */
export type PageView = {
  [Name in PageName]: PageHead & { name: Name; content: ComponentProps<PageOf<Name>>['content'] };
}[PageName];

/** What the document's HTML carries for the browser. */
export interface SiteData {
  site: Site;
  view: PageView;
}
