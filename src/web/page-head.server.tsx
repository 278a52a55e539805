import { NEWS } from '../news/article.ts';
import type { Site } from '../platform/site.ts';
import { pictureUrl } from '../ui/picture.tsx';
import { FEEDS } from './feeds.server.ts';
import type { PageView } from './pages.ts';

const SITE_PICTURE = '/pictures/social.jpg';

/** What the head says of a page of the site. */
export function PageHead({ view, site }: { view: PageView; site: Site }) {
  const { company, publicUrl } = site;
  const { path, title, description } = view;
  const found = view.name !== 'not-found';
  return (
    <>
      <title>{path === '/' ? title : `${title} | ${company.name}`}</title>
      <meta name="description" content={description} />
      {found && <link rel="canonical" href={publicUrl + path} />}
      {found && <meta property="og:url" content={publicUrl + path} />}
      {!found && <meta name="robots" content="noindex" />}
      <meta property="og:type" content={view.name === 'article' ? 'article' : 'website'} />
      <meta property="og:site_name" content={company.name} />
      <meta property="og:locale" content="en_US" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      {Object.values(FEEDS).map(({ path, type, name }) => (
        <link
          key={path}
          rel="alternate"
          type={type}
          href={path}
          title={`${NEWS.title} | ${company.name} (${name})`}
        />
      ))}
      <SharedPicture view={view} site={site} />
      <meta name="twitter:card" content="summary_large_image" />
      {view.name === 'article' && (
        <meta property="article:published_time" content={view.content.article.date} />
      )}
    </>
  );
}

function SharedPicture({ view, site }: { view: PageView; site: Site }) {
  const { company, pictures } = site;
  const { image, alt } = view.picture ?? {
    image: SITE_PICTURE,
    alt: `${company.name}: ${company.tagline}`,
  };
  const variants = pictures[image];
  return (
    <>
      <meta property="og:image" content={pictureUrl(image, site)} />
      <meta property="og:image:alt" content={alt} />
      {variants && <meta property="og:image:width" content={String(variants.width)} />}
      {variants && <meta property="og:image:height" content={String(variants.height)} />}
    </>
  );
}
