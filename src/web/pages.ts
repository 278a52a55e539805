/** The pages of the public document and their modules; site-pages.server.ts has their content. */
import type { ReactNode } from 'react';
import { findPage } from './page-modules.ts';

/** A page takes the content of its view, see PageView. */
interface PageProps {
  content: unknown;
}

export type Page = (props: PageProps) => ReactNode;

const MODULES = import.meta.glob<{ default: Page }>(
  '/src/{contact,home,news,resources,safeguards,text-pages,trust}/*-page.tsx',
);

export const findSitePage = (name: PageView['name']) => findPage(MODULES, name);

/** The content that the page of a module takes. */
type ContentOf<Module> = Module extends { default(props: { content: infer Content }): unknown }
  ? Content
  : never;

/** By the names of the pages' modules. */
interface PageContents {
  home: ContentOf<typeof import('../home/home-page.tsx')>;
  news: ContentOf<typeof import('../news/news-page.tsx')>;
  article: ContentOf<typeof import('../news/article-page.tsx')>;
  text: ContentOf<typeof import('../text-pages/text-page.tsx')>;
  resources: ContentOf<typeof import('../resources/resources-page.tsx')>;
  safeguards: ContentOf<typeof import('../safeguards/safeguards-page.tsx')>;
  /** The documents of content/trust. */
  sheet: ContentOf<typeof import('../trust/sheet-page.tsx')>;
  /** The answer to a contact form that was sent without script. */
  contact: ContentOf<typeof import('../contact/contact-page.tsx')>;
  'not-found': ContentOf<typeof import('../home/not-found-page.tsx')>;
}

interface PageHead {
  path: string;
  title: string;
  description: string;
  /** The day of the last change; missing on pages that list others. */
  updated?: string;
  /** For og:image; the site's own picture by default. */
  picture?: { image: string; alt: string };
}

export type PageView = {
  [Name in keyof PageContents]: PageHead & { name: Name; content: PageContents[Name] };
}[keyof PageContents];
