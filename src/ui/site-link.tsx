import type { ComponentProps } from 'react';
import { Link, useLocation } from 'wouter';

type SiteLinkProps = Omit<ComponentProps<'a'>, 'href'> & { href: string };

/**
 * A link inside the site. Moves between pages of the public document are instant; the checkout and the
 * staff area are documents of their own (each with its content policy), so links into and out of them,
 * and anchors on the page that is open, are the browser's.
 */
export function SiteLink({ href, ...rest }: SiteLinkProps) {
  const [path] = useLocation();
  const [page = ''] = href.split('#');
  const native =
    page === '' || (href.includes('#') && page === path) || isApart(path) || isApart(page);
  return native ? <a href={href} {...rest} /> : <Link href={href} {...rest} />;
}

/** Whether an address is none of the public document's pages: another document, a file, another site. */
export function isApart(path: string): boolean {
  return /^\/(checkout|admin)|\.\w+$/.test(path) || !path.startsWith('/');
}
