import type { ReactNode } from 'react';
import { headingsOf, type RichText as Text } from '../../platform/rich-text.ts';
import { Container } from '../container.tsx';
import { RichText } from './rich-text.tsx';
import { TableOfContents } from './table-of-contents.tsx';

interface TextWithContentsProps {
  text: Text;
  /** What follows the text in its column. */
  children?: ReactNode;
}

/** A long text in a readable column, its table of contents beside it. */
export function TextWithContents({ text, children }: TextWithContentsProps) {
  return (
    <Container className="grid gap-x-8 gap-y-10 py-10 lg:grid-cols-12 lg:py-20">
      <div className="lg:col-span-4">
        <TableOfContents headings={headingsOf(text)} />
      </div>
      <div className="min-w-0 lg:col-span-8 xl:col-span-7 xl:col-start-6">
        <RichText text={text} />
        {children}
      </div>
    </Container>
  );
}
