import { longDate } from '../platform/long-date.ts';
import { fields, type Read, text } from '../platform/old/read.ts';
import { readRichText } from '../platform/old/read-rich-text.ts';
import { PageTitle } from '../ui/page-title.tsx';
import { TextWithContents } from '../ui/text/text-with-contents.tsx';
import type { LegalDocument } from './legal-document.ts';

export const readContent = fields<Pick<LegalDocument, 'title' | 'updated' | 'body'>>({
  title: text,
  updated: text,
  body: readRichText,
});

export default function LegalPage({ content }: { content: Read<typeof readContent> }) {
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
