/** In place of the site's own: a peer has this one page, so its links are the browser's. */
import type { ComponentProps } from 'react';

/** On a server nobody clicks, and a server component could not pass a listener on. */
export function SiteLink({ onClick, ...rest }: ComponentProps<'a'>) {
  return <a {...rest} {...(typeof window === 'undefined' ? {} : { onClick })} />;
}
