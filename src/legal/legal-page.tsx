import type * as z from 'zod/mini';
import { longDate } from '../platform/long-date.ts';
import { PageTitle, TextWithContents } from '../ui/table-of-contents.tsx';
import { legalContent } from './legal-document.ts';

export const contentSchema = legalContent;

export default function LegalPage({ content }: { content: z.output<typeof legalContent> }) {
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
