/** A page that is a document, printed as one: what can be checked of the company, and samples of its work. */
import Printer from 'lucide-react/icons/printer';
import { longDate } from '../platform/long-date.ts';
import { useSite } from '../platform/site.ts';
import { Button } from '../ui/button.tsx';
import { Container } from '../ui/layout.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageTitle } from '../ui/table-of-contents.tsx';
import { type Sheet, sheetContent } from './sheet.ts';
import { SheetBlock } from './sheet-block.tsx';

export const contentSchema = sheetContent;

export default function SheetPage({ content }: { content: Sheet }) {
  const { legalName, address, phone } = useSite().company;
  const { title, lead, updated, sample, numbered, sections } = content;
  return (
    <>
      <PageTitle title={title} lead={lead}>
        <div className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-4">
          <p className="text-sm">
            As of <time dateTime={updated}>{longDate(updated)}</time>
          </p>
          <Button
            variant="quiet"
            size="small"
            onClick={() => window.print()}
            className="noscript:hidden"
          >
            <Printer className="size-4" />
            Print
          </Button>
        </div>
      </PageTitle>
      <Container className="py-10 lg:py-16 print:py-4">
        {sample && (
          <div className="mb-10 print:mb-4">
            <Notice kind="warning">{sample}</Notice>
          </div>
        )}
        <div className="grid gap-12 lg:gap-16 print:gap-2">
          {sections.map(({ id, heading, blocks }, place) => (
            <div
              key={id}
              id={id}
              className="grid gap-x-8 gap-y-5 scroll-mt-28 border-t border-line pt-8 lg:grid-cols-12 print:block print:break-inside-avoid print:pt-3"
            >
              <h2 className="text-xl tracking-tight lg:col-span-4 print:text-base">
                {numbered && <span className="mr-2 text-primary tabular-nums">{place + 1}.</span>}
                {heading}
              </h2>
              <div className="grid min-w-0 content-start gap-5 lg:col-span-8 print:mt-2 print:gap-2 print:text-[9.5pt] print:leading-snug">
                {blocks.map((block, part) => (
                  // Parts of a document never change places.
                  <SheetBlock key={`${id}-${part.toString()}`} block={block} sample={!!sample} />
                ))}
              </div>
            </div>
          ))}
        </div>
        <p className="mt-4 hidden text-[8pt] text-muted print:block">
          {legalName}, {address.street}, {address.city}, {address.region} {address.postalCode},{' '}
          {phone.display}
        </p>
      </Container>
    </>
  );
}
