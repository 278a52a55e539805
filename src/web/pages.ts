/**
 * The site map of the public document: where each page is, what it is called, and the module that draws it. A page without
 * a title here takes it from its content, which site-pages.server.ts puts together.
 */
import type { ComponentProps, ReactNode } from 'react';
import { NEWS } from '../news/article.ts';
import type { Site } from '../platform/site.ts';
import { SAFEGUARDS } from '../safeguards/safeguards-address.ts';

interface SitePage {
  path: string;
  title?: string;
  /** What `load` imports, as the build names it: its scripts stand in the page's HTML. */
  module: string;
  load(): Promise<{ default: Page }>;
}

/** Given the content that was made for it. */
export type Page = (props: { content: never }) => ReactNode;

export const SITE_PAGES = {
  home: {
    path: '/',
    title: 'IT Services & Solutions',
    module: 'src/home/home-page.tsx',
    load: () => import('../home/home-page.tsx'),
  },
  news: {
    ...NEWS,
    module: 'src/news/news-page.tsx',
    load: () => import('../news/news-page.tsx'),
  },
  article: {
    path: `${NEWS.path}/:slug`,
    module: 'src/news/article-page.tsx',
    load: () => import('../news/article-page.tsx'),
  },
  legal: {
    path: '/:name',
    module: 'src/legal/legal-page.tsx',
    load: () => import('../legal/legal-page.tsx'),
  },
  resources: {
    path: '/resources/',
    title: 'Resources',
    module: 'src/resources/resources-page.tsx',
    load: () => import('../resources/resources-page.tsx'),
  },
  safeguards: {
    ...SAFEGUARDS,
    module: 'src/safeguards/safeguards-page.tsx',
    load: () => import('../safeguards/safeguards-page.tsx'),
  },
  /** What can be checked of the company, and samples of its work. */
  sheet: {
    path: '/:sheet',
    module: 'src/trust/sheet-page.tsx',
    load: () => import('../trust/sheet-page.tsx'),
  },
  /** The answer to a message that was sent without script. */
  contact: {
    path: '/contact',
    title: 'Send us a Message',
    module: 'src/contact/contact-page.tsx',
    load: () => import('../contact/contact-page.tsx'),
  },
  /** At every address that has no page. */
  'not-found': {
    path: '',
    title: '404 Not Found',
    module: 'src/home/not-found-page.tsx',
    load: () => import('../home/not-found-page.tsx'),
  },
} as const satisfies Record<string, SitePage>;

type PageName = keyof typeof SITE_PAGES;
type PageOf<Name extends PageName> = Awaited<
  ReturnType<(typeof SITE_PAGES)[Name]['load']>
>['default'];

interface PageHead {
  /** The one true address of the page, without the origin. */
  path: string;
  title: string;
  description: string;
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
