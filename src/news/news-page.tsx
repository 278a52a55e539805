import { SITE_PAGES } from '../routes.ts';
import { Container } from '../ui/layout.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { ArticleGrid, type ArticleListProps } from './article-list.tsx';

export default function NewsPage({ content }: { content: ArticleListProps }) {
  return (
    <>
      <PageTitle title={SITE_PAGES.news.title} lead={content.lead} />
      <Container className="py-10 lg:pt-12 lg:pb-20">
        <ArticleGrid articles={content.articles} />
      </Container>
    </>
  );
}
