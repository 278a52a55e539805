/** Reads content/news: every Markdown file is an article, and its file name is the slug of its address. */
import type { ContentReader } from '../platform/config/content-file.server.ts';
import { countWords, type Inline, type RichText } from '../platform/rich-text.ts';
import { type Article, type ArticleSummary, articleFrontMatter } from './article.ts';

const WORDS_A_MINUTE = 220;

/** The newest first; of the same day, the one with the lower id. */
export function readArticles(
  reader: ContentReader,
  placeholders: ReadonlyMap<string, Inline>,
): Article[] {
  const fileOfId = new Map<number, string>();
  const articles = reader.files('news', '.md').flatMap((file): Article[] => {
    const slug = file.slice('news/'.length, -'.md'.length);
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug)) {
      reader.faults.push(
        `${file}: a file name is a-z, 0-9 and single hyphens, for it is the address`,
      );
    }
    const read = reader.markdown(file, articleFrontMatter, placeholders);
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
