/** The news as a feed: RSS 2.0. */
import { type Article, NEWS } from '../news/article.ts';
import type { Site } from '../platform/site.ts';

export const RSS = { path: '/news/rss.xml', type: 'application/rss+xml' };

/** As the head of every page names it, too. */
export function feedTitle({ company }: Site): string {
  return `${NEWS.title} | ${company.name}`;
}

/** `articles`: the newest first. */
export function rss(articles: readonly Article[], site: Site): string {
  const { company, publicUrl } = site;
  const newest = articles[0]?.date;
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel>
<title>${escapeMarkup(feedTitle(site))}</title>
<link>${escapeMarkup(publicUrl + NEWS.path)}</link>
<description>${escapeMarkup(company.description)}</description>
<language>en-us</language>
<atom:link href="${escapeMarkup(publicUrl + RSS.path)}" rel="self" type="${RSS.type}"/>
${newest ? `<lastBuildDate>${rfc822(newest)}</lastBuildDate>\n` : ''}${articles.map((article) => item(article, site)).join('\n')}
</channel>
</rss>
`;
}

function item(article: Article, { company, publicUrl }: Site): string {
  const address = `${publicUrl}${NEWS.path}/${article.slug}`;
  return `<item>
<title>${escapeMarkup(article.title)}</title>
<link>${escapeMarkup(address)}</link>
<guid isPermaLink="true">${escapeMarkup(address)}</guid>
<pubDate>${rfc822(article.date)}</pubDate>
<dc:creator>${escapeMarkup(company.name)}</dc:creator>
<category>${escapeMarkup(article.topic)}</category>
<description>${escapeMarkup(article.excerpt)}</description>
</item>`;
}

/** 'Thu, 01 May 2025 00:00:00 GMT', RSS's form of a date. */
function rfc822(date: string): string {
  return new Date(`${date}T00:00:00Z`).toUTCString();
}

/** For XML and HTML. */
export function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
