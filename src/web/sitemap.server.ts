import { escapeMarkup } from './markup.server.ts';
import type { PageView } from './pages.ts';

/** sitemaps.org: every page, with the day on which what it shows last changed. */
export function sitemap(views: Iterable<PageView>, publicUrl: string): string {
  const all = [...views];
  const newest = all.map(ownDate).toSorted().at(-1) ?? '';
  const urls = all.map((view) => {
    const address = escapeMarkup(publicUrl + view.path);
    // The pages without a date of their own are lists of those that have one.
    return `  <url><loc>${address}</loc><lastmod>${ownDate(view) || newest}</lastmod></url>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`;
}

function ownDate(view: PageView): string {
  if (view.name === 'article') return view.content.article.date;
  return view.name === 'legal' || view.name === 'sheet' ? view.content.updated : '';
}
