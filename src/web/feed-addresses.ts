/** Where the feeds are, for the feeds themselves and for the head of every page. */
export const FEEDS = {
  rss: { path: '/news/rss.xml', type: 'application/rss+xml', name: 'RSS' },
  json: { path: '/news/feed.json', type: 'application/feed+json', name: 'JSON Feed' },
} as const;
