import { longDate } from '../platform/long-date.ts';
import { headingsOf } from '../platform/rich-text.ts';
import { Container } from '../ui/container.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { RichText } from '../ui/rich-text.tsx';
import type { LegalDocument } from './legal-document.ts';
import { TableOfContents } from './table-of-contents.tsx';

export default function LegalPage({ content }: { content: LegalDocument }) {
  const { title, updated, body } = content;
  return (
    <>
      <PageTitle title={title}>
        <p className="mt-5">
          Last Updated: <time dateTime={updated}>{longDate(updated)}</time>
        </p>
      </PageTitle>
      <Container className="grid gap-x-8 gap-y-10 py-10 lg:grid-cols-12 lg:py-16">
        <TableOfContents headings={headingsOf(body)} />
        <div className="min-w-0 lg:col-span-8 xl:col-span-7 xl:col-start-5">
          <RichText text={body} />
        </div>
      </Container>
    </>
  );
}
