import { fields, type Read } from '../platform/old/read.ts';
import { Container } from '../ui/container.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { ArticleGrid } from './article-grid.tsx';
import { NEWS } from './news-address.ts';
import { readSummaries } from './read-summaries.ts';

/** The newest first. */
export const readContent = fields({ articles: readSummaries });
export type NewsContent = Read<typeof readContent>;

export default function NewsPage({ content: { articles } }: { content: NewsContent }) {
  return (
    <>
      <PageTitle
        title={NEWS.title}
        lead="Security, compliance, phones, and day-to-day IT for businesses your size. Every article ends with a Monday to-do list."
      />
      <Container className="py-14 lg:py-20">
        <ArticleGrid articles={articles} />
      </Container>
    </>
  );
}
