/** Files for crawlers, feed readers and other programs. */
import type { Article } from '../news/article.ts';
import type { PublicSite } from '../platform/site.ts';
import { CONTENT_PATHS, fillPath, SITE_PAGES, STAFF_PAGES, WELL_KNOWN_FILES } from '../routes.ts';
import { pictureAddress } from '../ui/picture.tsx';
import type { PageView } from './pages.ts';

export const RSS_TYPE = 'application/rss+xml';

interface SiteContent {
  articles: readonly Article[];
  pages: readonly PageView[];
}

interface WellKnownFile {
  type: string;
  body(site: PublicSite, content: SiteContent): string;
}

export const wellKnownFiles: ReadonlyMap<string, WellKnownFile> = new Map(
  Object.entries({
    [WELL_KNOWN_FILES.sitemap]: { type: 'application/xml', body: sitemap },
    [WELL_KNOWN_FILES.feed]: { type: RSS_TYPE, body: (site, { articles }) => rss(articles, site) },
    [WELL_KNOWN_FILES.robots]: { type: 'text/plain', body: robots },
    [WELL_KNOWN_FILES.manifest]: { type: 'application/manifest+json', body: webManifest },
    [WELL_KNOWN_FILES.security]: { type: 'text/plain', body: securityTxt },
  } satisfies Record<string, WellKnownFile>),
);

/** See sitemaps.org. A page without a date of its own lists others: it has the newest date. */
function sitemap({ publicUrl }: PublicSite, { pages }: SiteContent): string {
  const newest = pages
    .map(({ updated }) => updated)
    .filter((day) => day !== undefined)
    .toSorted()
    .at(-1);
  const urls = pages.map(({ path, updated = newest }) => {
    const url = escapeMarkup(publicUrl + path);
    return `  <url><loc>${url}</loc><lastmod>${updated}</lastmod></url>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`;
}

function robots({ publicUrl }: PublicSite): string {
  return `User-agent: *
Disallow: ${STAFF_PAGES.inbox.path}
Disallow: /api/

Sitemap: ${publicUrl}${WELL_KNOWN_FILES.sitemap}
`;
}

/** RFC 9116 recommends less than a year. The file is regenerated every day. */
const SECURITY_TXT_DAYS = 180;

function securityTxt({ company, publicUrl }: PublicSite): string {
  const expires = new Date();
  expires.setUTCHours(0, 0, 0, 0);
  expires.setUTCDate(expires.getUTCDate() + SECURITY_TXT_DAYS);
  return `Contact: mailto:${company.email}
Contact: tel:${company.phone.tel}
Expires: ${expires.toISOString()}
Preferred-Languages: en
Canonical: ${publicUrl}${WELL_KNOWN_FILES.security}
Policy: ${publicUrl}${CONTENT_PATHS.securityPolicy}
`;
}

function webManifest({ company, pictures }: PublicSite): string {
  const icon = (file: string, size: number, purpose: string) => ({
    src: pictureAddress(file, pictures[file]),
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  });
  const manifest = {
    name: company.name,
    short_name: company.name,
    description: company.description,
    id: '/',
    start_url: '/',
    scope: '/',
    display: 'browser',
    lang: 'en-US',
    background_color: '#ffffff',
    theme_color: '#ffffff',
    icons: [
      icon('/pictures/icon-192.png', 192, 'any'),
      icon('/pictures/icon-512.png', 512, 'any'),
      icon('/pictures/icon-maskable-512.png', 512, 'maskable'),
    ],
  };
  return JSON.stringify(manifest, null, 2);
}

/** Also the title of the feed's link in every page's head. */
export function feedTitle({ company }: PublicSite): string {
  return `${SITE_PAGES.news.title} | ${company.name}`;
}

/** RSS 2.0. `articles` are newest first. */
function rss(articles: readonly Article[], site: PublicSite): string {
  const { company, publicUrl } = site;
  const newest = articles[0]?.date;
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel>
<title>${escapeMarkup(feedTitle(site))}</title>
<link>${escapeMarkup(publicUrl + SITE_PAGES.news.path)}</link>
<description>${escapeMarkup(company.description)}</description>
<language>en-us</language>
<atom:link href="${escapeMarkup(publicUrl + WELL_KNOWN_FILES.feed)}" rel="self" type="${RSS_TYPE}"/>
${newest ? `<lastBuildDate>${rfc822(newest)}</lastBuildDate>\n` : ''}${articles.map((article) => item(article, site)).join('\n')}
</channel>
</rss>
`;
}

function item(article: Article, { company, publicUrl }: PublicSite): string {
  const url = publicUrl + fillPath(SITE_PAGES.article.path, article.slug);
  return `<item>
<title>${escapeMarkup(article.title)}</title>
<link>${escapeMarkup(url)}</link>
<guid isPermaLink="true">${escapeMarkup(url)}</guid>
<pubDate>${rfc822(article.date)}</pubDate>
<dc:creator>${escapeMarkup(company.name)}</dc:creator>
<category>${escapeMarkup(article.topic)}</category>
<description>${escapeMarkup(article.excerpt)}</description>
</item>`;
}

/** 'Thu, 01 May 2025 00:00:00 GMT', as RSS requires. */
function rfc822(date: string): string {
  return new Date(`${date}T00:00:00Z`).toUTCString();
}

/** For XML and HTML. */
function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
