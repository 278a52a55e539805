/** The pages of the public document: what the server tells each, and the module that draws it. */
import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import type { ContactOutcome } from '../contact/contact-page.tsx';
import type { sectionsContent } from '../home/home.ts';
import type { contentSchema as heroContent } from '../home/home-page.tsx';
import type { legalContent } from '../legal/legal-document.ts';
import type { ArticleContent } from '../news/article.ts';
import type { NewsContent } from '../news/news-page.tsx';
import type { Schema } from '../platform/contract.ts';
import { fallback } from '../platform/schema.ts';
import type { ResourcesContent } from '../resources/resources-page.tsx';
import type { SafeguardsContent } from '../safeguards/check.ts';
import type { Sheet } from '../trust/sheet.ts';

interface ContentOf {
  home: z.input<typeof heroContent> & z.input<typeof sectionsContent>;
  contact: ContactOutcome;
  news: NewsContent;
  article: ArticleContent;
  legal: z.output<typeof legalContent>;
  resources: ResourcesContent;
  safeguards: SafeguardsContent;
  sheet: Sheet;
  'not-found': null;
}

type PageName = keyof ContentOf;

interface PageHead {
  /** The one true address of the page, without the origin. */
  path: string;
  title: string;
  description: string;
  /** What is shown where the page is shared; the site's own picture without it. */
  picture?: { image: string; alt: string } | null;
}

/** One page as finished data, which its HTML carries for the script. */
export type PageView = {
  [Name in PageName]: PageHead & { name: Name; content: ContentOf[Name] };
}[PageName];

export interface PageModule {
  default: (props: { content: never }) => ReactNode;
  /** Reads the content as it travels: whatever makes no sense is replaced. */
  contentSchema: Schema;
}

type PageModules = { [Name in PageName]: () => Promise<PageModule> };

/** The modules of the site map, each a file of its own in the browser. */
export const pageModules: PageModules = {
  home: () => import('../home/home-page.tsx'),
  news: () => import('../news/news-page.tsx'),
  article: () => import('../news/article-page.tsx'),
  legal: () => import('../legal/legal-page.tsx'),
  resources: () => import('../resources/resources-page.tsx'),
  safeguards: () => import('../safeguards/safeguards-page.tsx'),
  sheet: () => import('../trust/sheet-page.tsx'),
  contact: () => import('../contact/contact-page.tsx'),
  'not-found': () => import('../home/not-found-page.tsx'),
};

/** A page that is ready to be drawn. */
export interface ShownPage {
  view: PageView;
  Page: (props: { content: never }) => ReactNode;
  /** As the page's module has read it. */
  content: unknown;
}

function isPageName(name: unknown): name is PageName {
  return typeof name === 'string' && Object.hasOwn(pageModules, name);
}

const pageHead = z.object({
  name: z.custom<PageName>(isPageName),
  path: z.string(),
  title: z.string(),
  description: z.string(),
  picture: fallback(z.nullish(z.object({ image: z.string(), alt: z.string() })), null),
  content: z.unknown(),
});

/** `at` is the address of a page that does not name its own. Rejects when the view is not whole. */
export async function loadPage(received: unknown, at: string): Promise<ShownPage> {
  const head = pageHead.parse(received);
  // The name says which content it is, and the module reads that.
  const view = { ...head, path: head.path || at } as PageView;
  return shownPage(view, await pageModules[head.name]());
}

/** The same on the server and in the browser: a page is drawn of what is read, not of what is sent. */
export function shownPage(view: PageView, module: PageModule): ShownPage {
  const content = module.contentSchema.safeParse(view.content).data;
  if (content === undefined) throw new SyntaxError(`${view.name} lacks some of its content`);
  return { view, Page: module.default, content };
}
