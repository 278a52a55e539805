/** Reads content/news: every Markdown file is an article, its file name the slug. */
import type { ContentReader } from '../platform/config/content-file.server.ts';
import { countWords, type Inline } from '../platform/rich-text.ts';
import { type Article, type ArticleSummary, articleSchema } from './article.ts';

const WORDS_A_MINUTE = 220;

/** Newest first; within a day, by id. */
export function readArticles(
  reader: ContentReader,
  placeholders: ReadonlyMap<string, Inline>,
): Article[] {
  const fileOfId = new Map<number, string>();
  const schema = articleSchema();
  const articles = reader.slugs('news').flatMap((slug): Article[] => {
    const file = `news/${slug}.md`;
    const read = reader.markdown(file, schema, placeholders);
    if (!read) return [];
    const { matter, body } = read;
    const other = fileOfId.get(matter.id);
    if (other) reader.errors.push(`${file}: id: ${matter.id} is the id of ${other} too`);
    fileOfId.set(matter.id, file);
    if (matter.reviewed < matter.date)
      reader.errors.push(`${file}: reviewed: ${matter.reviewed} is before the date of the article`);
    const readingMinutes = Math.max(1, Math.round(countWords(body) / WORDS_A_MINUTE));
    return [{ ...matter, slug, readingMinutes, body }];
  });
  return articles.toSorted((a, b) => b.date.localeCompare(a.date) || a.id - b.id);
}

export function summaryOf({ sources: _, body: __, ...summary }: Article): ArticleSummary {
  return summary;
}
