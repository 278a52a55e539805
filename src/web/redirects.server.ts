/** content/redirects.json: where addresses of the former site lead. */
import * as z from 'zod/mini';
import { canonicalSpelling, matchingPath } from '../platform/http/canonical-path.server.ts';
import { CHECKOUT_PAGES, fillPath, SITE_PAGES, STAFF_PATHS, WELL_KNOWN_FILES } from '../routes.ts';

/** From a path to the path of a page, which may have a fragment. */
export type Redirects = Readonly<Record<string, string>>;

export const redirectsSchema = () => z.record(z.string(), z.string());

/** Addresses that calls, files and other documents answer, whatever is there. */
const TAKEN =
  /^\/(api|assets|pictures|admin|checkout|quote)(\/|$)|^\/(contact|healthz|up|readyz)$|^\/\.well-known\//;

/** Public pages that are not files of content/. */
const OWN_PAGES = Object.values(SITE_PAGES).flatMap(({ path }) => (path.includes(':') ? [] : path));

interface SiteContent {
  redirects: Redirects | undefined;
  articles: readonly { slug: string }[];
  texts: readonly { name: string; updated: string }[];
  sheets: readonly { name: string }[];
}

/** An error for each file of content/pages whose path or day is another's, whatever its day. */
export function textErrors({ texts, sheets }: Pick<SiteContent, 'texts' | 'sheets'>): string[] {
  const taken = [...OWN_PAGES, ...sheets.map(({ name }) => `/${name}`), ...STAFF_PATHS].map(
    matchingPath,
  );
  return texts.flatMap(({ name, updated }, at) => {
    const path = `/${name}`;
    const wrong = [];
    if (taken.includes(path) || TAKEN.test(path))
      wrong.push(`pages${path}.md: the site has another page at ${path}`);
    if (texts.slice(0, at).some((other) => other.name === name && other.updated === updated))
      wrong.push(`pages${path}.md: updated: pages${path}.next.md has the same day`);
    return wrong;
  });
}

/** An error for each redirect that does not lead to a page: none can lead back to itself. */
export function redirectErrors({ redirects = {}, articles, texts, sheets }: SiteContent): string[] {
  const pages = [
    ...OWN_PAGES,
    CHECKOUT_PAGES.checkout.path,
    ...articles.map(({ slug }) => fillPath(SITE_PAGES.article.path, slug)),
    ...[...texts, ...sheets].map(({ name }) => `/${name}`),
    ...Object.values(WELL_KNOWN_FILES),
    ...STAFF_PATHS,
  ];
  const taken = new Set(pages.map(matchingPath));
  return Object.entries(redirects).flatMap(([from, to]) => {
    const spelled = canonicalSpelling(from);
    const wrong = [];
    if (spelled === undefined) wrong.push('expected a path such as /services.html');
    else if (matchingPath(spelled) !== from) wrong.push(`please write ${matchingPath(spelled)}`);
    else if (taken.has(from) || TAKEN.test(from)) wrong.push('the site has its own page there');
    if (!pages.includes(to.replace(/#.*/, ''))) wrong.push(`the site has no page ${to}`);
    return wrong.map((what) => `redirects.json: ${from}: ${what}`);
  });
}
