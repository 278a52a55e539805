/** The pages of the public document: what the server tells each, and the module that draws it. */
import type { ComponentType } from 'react';
import type { HomeContent } from './home/home.ts';

interface ContentOf {
  home: HomeContent;
  'not-found': null;
}

export type PageName = keyof ContentOf;

interface PageHead {
  /** The one true address of the page, without the origin. */
  path: string;
  title: string;
  description: string;
}

/** One page as finished data: embedded in its HTML, and the answer of GET /api/page for moves inside the document. */
export type PageView = {
  [Name in PageName]: PageHead & { name: Name; content: ContentOf[Name] };
}[PageName];

type PageModules = {
  [Name in PageName]: () => Promise<{ default: ComponentType<{ content: ContentOf[Name] }> }>;
};

/** Each is a file of its own in the browser, loaded when its page is first visited. */
export const pageModules: PageModules = {
  home: () => import('./home/home-page.tsx'),
  'not-found': () => import('./home/not-found-page.tsx'),
};
