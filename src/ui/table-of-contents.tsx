import ChevronDown from 'lucide-react/icons/chevron-down';
import type { ReactNode } from 'react';
import {
  type Heading,
  headingsOf,
  inlineText,
  type RichText as Text,
} from '../platform/rich-text.ts';
import { Container } from './layout.tsx';
import { RichText } from './rich-text.tsx';

/** Sticky beside the text on a desktop, collapsed above it on a phone. */
function TableOfContents({ headings }: { headings: readonly Heading[] }) {
  if (headings.length === 0) return null;
  return (
    <div data-contents className="h-full print:hidden">
      <nav aria-label="On this page" className="sticky top-28 short:static hidden lg:block">
        <p className="text-sm font-semibold text-ink">On this page</p>
        <div className="mt-3 max-h-[calc(100dvh-12rem)] overflow-y-auto">
          <HeadingLinks headings={headings} />
        </div>
      </nav>
      <details className="group rounded-card border border-line lg:hidden">
        <summary className="flex min-h-13 list-none items-center gap-2 px-5 text-sm font-semibold text-ink [&::-webkit-details-marker]:hidden">
          On this page
          <ChevronDown className="size-5 transition-transform duration-150 group-open:rotate-180" />
        </summary>
        <nav aria-label="On this page" className="px-5 pb-4">
          <HeadingLinks headings={headings} />
        </nav>
      </details>
    </div>
  );
}

function HeadingLinks({ headings }: { headings: readonly Heading[] }) {
  return (
    <ul>
      {headings.map(({ id, level, content }) => (
        <li
          key={id}
          className={`border-line has-[[aria-current]]:border-primary lg:border-l-2 ${level > 2 ? 'pl-4 lg:pl-8' : 'lg:pl-4'}`}
        >
          <a
            href={`#${id}`}
            className={`flex min-h-9 items-center py-1 text-sm hover:text-primary hover:underline underline-offset-4 aria-[current]:text-ink ${
              level > 2 ? 'text-muted' : ''
            }`}
          >
            {inlineText(content)}
          </a>
        </li>
      ))}
    </ul>
  );
}

interface TextWithContentsProps {
  text: Text;
  children?: ReactNode;
}

/** A long text with its table of contents. */
export function TextWithContents({ text, children }: TextWithContentsProps) {
  return (
    <Container className="grid gap-x-8 gap-y-10 py-10 lg:grid-cols-12 lg:py-20">
      <div className="lg:col-span-5 lg:col-start-8">
        <TableOfContents headings={headingsOf(text)} />
      </div>
      <div className="min-w-0 lg:col-span-7 lg:row-start-1">
        <RichText text={text} />
        {children}
      </div>
    </Container>
  );
}
