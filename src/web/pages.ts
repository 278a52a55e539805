/** The pages of the public document and their modules; site-pages.server.ts has their paths and content. */
import type { ComponentProps, ReactNode } from 'react';
import type { Site } from '../platform/site.ts';

interface PageModule {
  /** The path of the module that `load` imports, as in the build's manifest: the HTML names its scripts. */
  module: string;
  load(): Promise<{ default: Page }>;
}

/** `never`, since each page takes only its own content. */
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
  /** The documents of content/trust. */
  sheet: {
    module: 'src/trust/sheet-page.tsx',
    load: () => import('../trust/sheet-page.tsx'),
  },
  /** The answer to a contact form that was sent without script. */
  contact: {
    module: 'src/contact/contact-page.tsx',
    load: () => import('../contact/contact-page.tsx'),
  },
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
  /** The canonical path. */
  path: string;
  title: string;
  description: string;
  /** The day of the last change; missing on pages that list others. */
  updated?: string;
  /** For og:image; the site's own picture by default. */
  picture?: { image: string; alt: string };
}

/** Everything needed to render one page. */
export type PageView = {
  [Name in PageName]: PageHead & { name: Name; content: ComponentProps<PageOf<Name>>['content'] };
}[PageName];

/** The data in the document's HTML. */
export interface SiteData {
  site: Site;
  view: PageView;
}
