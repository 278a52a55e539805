import type { RichText } from '../platform/rich-text.ts';
import { longDate } from '../ui/facts.tsx';
import { PageTitle, TextWithContents } from '../ui/table-of-contents.tsx';

interface LegalContent {
  title: string;
  updated: string;
  body: RichText;
}

export default function LegalPage({ content }: { content: LegalContent }) {
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
