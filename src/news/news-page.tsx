import { Container } from '../ui/layout.tsx';
import { PageTitle } from '../ui/table-of-contents.tsx';
import { type ArticleSummary, NEWS } from './article.ts';
import { ArticleGrid } from './article-grid.tsx';

interface NewsContent {
  /** The newest first. */
  articles: readonly ArticleSummary[];
}

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
