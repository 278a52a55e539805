/** Reads content/news: every Markdown file is an article, and its file name is the slug of its address. */
import * as z from 'zod/mini';
import type { ContentReader } from '../platform/config/content-file.server.ts';
import { countWords, type Inline, type RichText } from '../platform/rich-text.ts';
import { line } from '../platform/schema.ts';
import { type Article, type ArticleSummary, TOPICS } from './article.ts';

const frontMatter = z.strictObject({
  id: z.int().check(z.minimum(1)),
  title: line(),
  date: z.iso.date(),
  topic: z.enum(TOPICS),
  excerpt: line(),
  image: z.optional(line()),
  imageAlt: z._default(z.string(), ''),
  sources: z.array(z.strictObject({ title: line(), url: z.url() })),
});

const WORDS_A_MINUTE = 220;

/** The newest first; of the same day, the one with the lower id. */
export function readArticles(
  reader: ContentReader,
  placeholders: ReadonlyMap<string, Inline>,
): Article[] {
  const fileOfId = new Map<number, string>();
  const articles = reader.slugs('news').flatMap((slug): Article[] => {
    const file = `news/${slug}.md`;
    const read = reader.markdown(file, frontMatter, placeholders);
    if (!read) return [];
    const { matter, body } = read;
    const twin = fileOfId.get(matter.id);
    if (twin) reader.faults.push(`${file}: id: ${matter.id} is the id of ${twin} too`);
    fileOfId.set(matter.id, file);
    return [{ ...matter, slug, readingMinutes: readingMinutes(body), body }];
  });
  return articles.toSorted((a, b) => b.date.localeCompare(a.date) || a.id - b.id);
}

export function summaryOf({ sources: _, body: __, ...summary }: Article): ArticleSummary {
  return summary;
}

function readingMinutes(body: RichText): number {
  return Math.max(1, Math.round(countWords(body) / WORDS_A_MINUTE));
}
