import * as z from 'zod/mini';
import { list } from '../platform/schema.ts';
import { Container } from '../ui/layout.tsx';
import { PageTitle } from '../ui/table-of-contents.tsx';
import { articleSummary, NEWS } from './article.ts';
import { ArticleGrid } from './article-grid.tsx';

/** The newest first. */
export const contentSchema = z.object({ articles: list(articleSummary) });
export type NewsContent = z.output<typeof contentSchema>;

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
