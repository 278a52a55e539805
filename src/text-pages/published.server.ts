/** What is dated ahead appears on its day, a day of the company, everywhere at once. */
interface Dated {
  articles: readonly { slug: string; date: string; reviewed: string }[];
  texts: readonly { name: string; updated: string }[];
}

/** Of a page with two texts, the newer one replaces the other on its day. */
export function publishedOn<Content extends Dated>(content: Content, day: string): Content {
  const texts = content.texts.filter(({ updated }) => updated <= day);
  return {
    ...content,
    articles: content.articles
      .filter(({ date }) => date <= day)
      // A review to come has not been made.
      .map((article) =>
        article.reviewed > day ? { ...article, reviewed: article.date } : article,
      ),
    texts: texts.filter(
      (text) => !texts.some(({ name, updated }) => name === text.name && updated > text.updated),
    ),
  };
}

/** Each article and text that waits for its day. */
export function datedAhead({ articles, texts }: Dated, day: string) {
  return [
    ...articles.map(({ slug, date }) => ({ path: `/news/${slug}`, date })),
    ...texts.map(({ name, updated }) => ({ path: `/${name}`, date: updated })),
  ].filter(({ date }) => date > day);
}
