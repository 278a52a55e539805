import type { PageView } from './pages.ts';
import { useSite } from './platform/site.ts';

/** Title and descriptions of a page; React moves them into the head, on the server and after each move. */
export function PageHead({ view }: { view: PageView }) {
  const { company, publicUrl, pictures } = useSite();
  const address = publicUrl + view.path;
  const title =
    view.path === '/' ? `${view.title} | ${company.name}` : `${view.title} | ${company.name}`;
  const social = pictures['/pictures/social.jpg'];
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={view.description} />
      {view.name === 'not-found' ? (
        <meta name="robots" content="noindex" />
      ) : (
        <link rel="canonical" href={address} />
      )}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={company.name} />
      <meta property="og:title" content={view.title} />
      <meta property="og:description" content={view.description} />
      <meta property="og:url" content={address} />
      {social && (
        <meta
          property="og:image"
          content={`${publicUrl}/pictures/social.jpg?v=${social.version}`}
        />
      )}
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}
