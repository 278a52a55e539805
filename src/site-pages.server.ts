/** The site map: which page stands at which address, and what it shows. */
import { inDollars } from './catalogue/catalogue-calls.server.ts';
import type { Catalogue } from './catalogue/catalogue-store.server.ts';
import type { Content } from './content.server.ts';
import type { PageView } from './pages.ts';

/** Every page of the public document by its one true address. */
export function sitePages(content: Content, catalogue: Catalogue): Map<string, PageView> {
  const views: PageView[] = [
    {
      name: 'home',
      path: '/',
      title: 'IT Services & Solutions',
      description: content.company.description,
      content: {
        slides: content.slides,
        news: [],
        testimonials: catalogue.testimonials,
        services: catalogue.services.map(inDollars),
        solutions: catalogue.solutions,
        plans: catalogue.plans.map(inDollars),
      },
    },
  ];
  return new Map(views.map((view) => [view.path, view]));
}

export function notFoundView(path: string): PageView {
  return {
    name: 'not-found',
    path,
    title: '404 Not Found',
    description: 'There is no page at this address.',
    content: null,
  };
}

/** The one true address of a page that was asked for with a slash or capital letters too many. */
export function trueAddress(path: string, addresses: readonly string[]): string | undefined {
  const wanted = bare(path);
  return addresses.find((address) => bare(address) === wanted);
}

function bare(path: string): string {
  return path.toLowerCase().replace(/\/+$/, '') || '/';
}
