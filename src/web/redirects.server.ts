/** content/redirects.json: where the addresses of the company's former site lead, such as "/services.html": "/#services". */
import * as z from 'zod/mini';
import { CannotStart } from '../platform/config/cannot-start.server.ts';
import { canonicalSpelling, matchingPath } from '../platform/http/canonical-path.server.ts';

/** From a path to the path of a page, which may have a fragment. */
export type Redirects = Readonly<Record<string, string>>;

export const redirectsSchema = () => z.record(z.string(), z.string());

/** Addresses that calls, files and other documents answer, whether or not there is one at the path. */
const TAKEN =
  /^\/(api|assets|pictures|admin|checkout|quote)(\/|$)|^\/(contact|healthz|readyz)$|^\/\.well-known\//;

/**
 * Throws a CannotStart that lists every redirect that could not work. All lead to pages, so none leads to another redirect
 * or back to itself.
 */
export function checkRedirects(redirects: Redirects, pages: readonly string[]): void {
  const taken = new Set(pages.map(matchingPath));
  const errors = Object.entries(redirects).flatMap(([from, to]) => {
    const spelled = canonicalSpelling(from);
    const wrong = [];
    if (spelled === undefined) wrong.push('expected a path such as /services.html');
    else if (matchingPath(spelled) !== from) wrong.push(`please write ${matchingPath(spelled)}`);
    else if (taken.has(from) || TAKEN.test(from)) wrong.push('the site has its own page there');
    if (!pages.includes(to.replace(/#.*/, ''))) wrong.push(`the site has no page ${to}`);
    return wrong.map((what) => `redirects.json: ${from}: ${what}`);
  });
  if (errors.length > 0) throw new CannotStart('The content is not valid:', errors);
}
