/** The pages of the public document: what the server tells each, and the module that draws it. */
import type { ComponentType } from 'react';
import type { ContactOutcome } from './contact/contact-page.tsx';
import type { HomeContent } from './home/home.ts';
import type { LegalDocument } from './legal/legal-document.ts';
import type { ArticleContent, NewsContent } from './news/article.ts';
import type { ResourcesContent } from './resources/resources.ts';

interface ContentOf {
  home: HomeContent;
  contact: ContactOutcome;
  news: NewsContent;
  article: ArticleContent;
  legal: LegalDocument;
  resources: ResourcesContent;
  'not-found': null;
}

type PageName = keyof ContentOf;

interface PageHead {
  /** The one true address of the page, without the origin. */
  path: string;
  title: string;
  description: string;
  /** What is shown where the page is shared; the site's own picture without it. */
  picture?: { image: string; alt: string };
}

/** One page as finished data: embedded in its HTML, and the answer of GET /api/page for moves inside the document. */
export type PageView = {
  [Name in PageName]: PageHead & { name: Name; content: ContentOf[Name] };
}[PageName];

type PageModules = {
  [Name in PageName]: () => Promise<{ default: ComponentType<{ content: ContentOf[Name] }> }>;
};

/** Each is a file of its own in the browser, loaded when its page is first visited. */
const pageModules: PageModules = {
  home: () => import('./home/home-page.tsx'),
  contact: () => import('./contact/contact-page.tsx'),
  news: () => import('./news/news-page.tsx'),
  article: () => import('./news/article-page.tsx'),
  legal: () => import('./legal/legal-page.tsx'),
  resources: () => import('./resources/resources-page.tsx'),
  'not-found': () => import('./home/not-found-page.tsx'),
};

/** A page that is ready to be drawn. */
export interface ShownPage {
  view: PageView;
  Page: ComponentType<{ content: never }>;
}

export async function loadPage(view: PageView): Promise<ShownPage> {
  const { default: Page } = await pageModules[view.name]();
  return { view, Page: Page as ShownPage['Page'] };
}
