import type { RichText } from '../platform/rich-text.ts';
import { formatDate } from '../platform/time.ts';
import { PageTitle } from '../ui/page-title.tsx';
import { TextWithContents } from '../ui/table-of-contents.tsx';

interface TextPageContent {
  title: string;
  updated: string;
  isLegal: boolean;
  body: RichText;
}

/** A page whose text is a Markdown file, for example the privacy policy. */
export default function TextPage({ content }: { content: TextPageContent }) {
  const { title, updated, body } = content;
  return (
    <>
      <PageTitle title={title}>
        <p className="mt-5">
          Last Updated: <time dateTime={updated}>{formatDate(updated)}</time>
        </p>
      </PageTitle>
      <TextWithContents text={body} />
    </>
  );
}
