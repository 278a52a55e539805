/** The files that programs read in place of pages: by address, with their content type. */
import type { Plan } from '../catalogue/catalogue.ts';
import type { Article } from '../news/article.ts';
import type { Site } from '../platform/site.ts';
import { FEEDS } from './feed-addresses.ts';
import { jsonFeed, rss } from './feeds.server.ts';
import type { PageView } from './pages.ts';
import { sitemap } from './sitemap.server.ts';
import { llmsTxt, robots, securityTxt, webManifest } from './well-known.server.ts';

interface MachineDeps {
  site: Site;
  articles: readonly Article[];
  /** As they are now. */
  views(): Iterable<PageView>;
  plans(): readonly Plan[];
}

export function machineFiles({ site, articles, views, plans }: MachineDeps) {
  const text = 'text/plain; charset=utf-8';
  return [
    {
      path: '/sitemap.xml',
      contentType: 'application/xml; charset=utf-8',
      body: () => sitemap(views(), site.publicUrl),
    },
    {
      path: FEEDS.rss.path,
      contentType: `${FEEDS.rss.type}; charset=utf-8`,
      body: () => rss(articles, site),
    },
    {
      path: FEEDS.json.path,
      contentType: `${FEEDS.json.type}; charset=utf-8`,
      body: () => jsonFeed(articles, site),
    },
    { path: '/robots.txt', contentType: text, body: () => robots(site.publicUrl) },
    {
      path: '/site.webmanifest',
      contentType: 'application/manifest+json; charset=utf-8',
      body: () => webManifest(site),
    },
    {
      path: '/.well-known/security.txt',
      contentType: text,
      body: () => securityTxt(site, new Date()),
    },
    { path: '/llms.txt', contentType: text, body: () => llmsTxt(views(), plans(), site) },
  ];
}
