import { longDate } from '../ui/facts.tsx';
import { PageTitle, TextWithContents } from '../ui/table-of-contents.tsx';
import type { LegalDocument } from './legal-document.ts';

export default function LegalPage({ content }: { content: LegalDocument }) {
  const { title, updated, body } = content;
  return (
    <>
      <PageTitle title={title}>
        <p className="mt-5">
          Last Updated: <time dateTime={updated}>{longDate(updated)}</time>
        </p>
      </PageTitle>
      <TextWithContents text={body} />
    </>
  );
}
