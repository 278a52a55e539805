/** The news as feeds: RSS 2.0 and JSON Feed 1.1, both with the whole articles. */
import type { Article } from '../news/article.ts';
import { NEWS } from '../news/article.ts';
import type { Site } from '../platform/site.ts';
import { pictureUrl } from '../ui/picture.tsx';
import { escapeMarkup, toHtml } from './markup.server.ts';

/** Where they are, for themselves and for the head of every page. */
export const FEEDS = {
  rss: { path: '/news/rss.xml', type: 'application/rss+xml', name: 'RSS' },
  json: { path: '/news/feed.json', type: 'application/feed+json', name: 'JSON Feed' },
} as const;

export function rss(articles: readonly Article[], site: Site): string {
  const { company, publicUrl } = site;
  const newest = articles[0]?.date;
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel>
<title>${escapeMarkup(feedTitle(site))}</title>
<link>${escapeMarkup(publicUrl + NEWS.path)}</link>
<description>${escapeMarkup(company.description)}</description>
<language>en-us</language>
<atom:link href="${escapeMarkup(publicUrl + FEEDS.rss.path)}" rel="self" type="${FEEDS.rss.type}"/>
${newest ? `<lastBuildDate>${rfc822(newest)}</lastBuildDate>\n` : ''}${articles.map((article) => rssItem(article, site)).join('\n')}
</channel>
</rss>
`;
}

function rssItem(article: Article, site: Site): string {
  const address = articleAddress(article, site);
  return `<item>
<title>${escapeMarkup(article.title)}</title>
<link>${escapeMarkup(address)}</link>
<guid isPermaLink="true">${escapeMarkup(address)}</guid>
<pubDate>${rfc822(article.date)}</pubDate>
<dc:creator>${escapeMarkup(site.company.name)}</dc:creator>
<category>${escapeMarkup(article.topic)}</category>
<description>${escapeMarkup(article.excerpt)}</description>
<content:encoded>${escapeMarkup(toHtml(article.body, address))}</content:encoded>
</item>`;
}

export function jsonFeed(articles: readonly Article[], site: Site): string {
  const { company, publicUrl } = site;
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title: feedTitle(site),
    home_page_url: publicUrl + NEWS.path,
    feed_url: publicUrl + FEEDS.json.path,
    description: company.description,
    icon: pictureUrl('/pictures/icon-512.png', site),
    favicon: pictureUrl('/pictures/icon-192.png', site),
    authors: [{ name: company.name, url: `${publicUrl}/` }],
    language: 'en-US',
    items: articles.map((article) => {
      const address = articleAddress(article, site);
      return {
        id: address,
        url: address,
        title: article.title,
        summary: article.excerpt,
        content_html: toHtml(article.body, address),
        date_published: `${article.date}T00:00:00Z`,
        tags: [article.topic],
        ...(article.image ? { image: pictureUrl(article.image, site) } : {}),
      };
    }),
  };
  return JSON.stringify(feed, null, 2);
}

function feedTitle({ company }: Site): string {
  return `${NEWS.title} | ${company.name}`;
}

function articleAddress({ slug }: Article, { publicUrl }: Site): string {
  return `${publicUrl}${NEWS.path}/${slug}`;
}

/** 'Thu, 01 May 2025 00:00:00 GMT', RSS's form of a date. */
function rfc822(date: string): string {
  return new Date(`${date}T00:00:00Z`).toUTCString();
}
