import type { RichText } from '../src/platform/rich-text.ts';
import { useSite } from '../src/platform/site.ts';
import { AdminPageLayout } from '../src/ui/admin-page-layout.tsx';
import { MailLink, PhoneLink } from '../src/ui/contact-links.tsx';
import { DescriptionList } from '../src/ui/description-list.tsx';
import { Disclosure } from '../src/ui/disclosure.tsx';
import { FailureBoundary } from '../src/ui/failure-boundary.tsx';
import { Card, Container, Panel, Section } from '../src/ui/layout.tsx';
import { LocalTime } from '../src/ui/local-time.tsx';
import { PageFailure } from '../src/ui/page-failure.tsx';
import { PageTitle } from '../src/ui/page-title.tsx';
import { Picture } from '../src/ui/picture.tsx';
import { TextWithContents } from '../src/ui/table-of-contents.tsx';
import { RecordParts } from './record-parts.tsx';
import { Specimen } from './specimen.tsx';

const TEXT: RichText = [
  { kind: 'heading', level: 2, id: 'text', content: ['A heading'] },
  {
    kind: 'paragraph',
    content: [
      'Words with ',
      { kind: 'strong', content: ['weight'] },
      ', ',
      { kind: 'emphasis', content: ['stress'] },
      ', ',
      { kind: 'code', text: 'code' },
      ' and ',
      { kind: 'link', href: '/news', content: ['a link'] },
      '.',
    ],
  },
  { kind: 'heading', level: 3, id: 'list', content: ['A list'] },
  {
    kind: 'list',
    ordered: true,
    start: 1,
    items: [
      [{ kind: 'paragraph', content: ['First'] }],
      [{ kind: 'paragraph', content: ['Next'] }],
    ],
  },
  { kind: 'quote', content: [{ kind: 'paragraph', content: ['Somebody else’s words.'] }] },
  { kind: 'code', text: 'Get-MpComputerStatus' },
];

export function PageParts() {
  const [image = ''] = Object.keys(useSite().pictures).filter((name) => name.endsWith('.jpg'));
  return (
    <>
      <PageTitle
        title="Page title"
        lead="With a lead and a picture."
        above="Above it"
        picture={<Picture image={image} alt="" sizes="30rem" className="rounded-card" />}
      />
      {(['surface', 'paper', 'night'] as const).map((background) => (
        <Section
          key={background}
          id={background}
          heading={`Section on ${background}`}
          lead="Its lead."
          background={background}
        >
          <div className="grid gap-6 sm:grid-cols-2 lg:grid-cols-3">
            <Card>A card</Card>
          </div>
        </Section>
      ))}
      <Section id="beside" heading="Heading beside" lead="What it heads." layout="beside">
        <p>On a desk the content stands at its side.</p>
      </Section>
      <TextWithContents text={TEXT} />
      <AdminPageLayout heading="AdminPageLayout" lead="Of the staff area" actions="actions">
        <Panel heading="Panel" aside="aside">
          <LocalTime at="2026-05-13T14:05:00Z" /> or in full{' '}
          <LocalTime at="2026-05-13T14:05:00Z" full />
          <DescriptionList
            wide="Wide"
            items={{
              Email: <MailLink email="dana@example.com" />,
              Phone: <PhoneLink phone={null} />,
              Wide: 'A long value takes the full width.',
            }}
          />
        </Panel>
        <RecordParts />
      </AdminPageLayout>
      <Container>
        <Specimen name="Disclosure">
          <Disclosure summary="What opens">What is under it.</Disclosure>
        </Specimen>
        <Specimen name="A part that failed">
          <FailureBoundary>
            <Failing />
          </FailureBoundary>
        </Specimen>
        <Specimen name="A page that failed">
          <FailureBoundary fallback={<PageFailure />}>
            <Failing />
          </FailureBoundary>
        </Specimen>
      </Container>
    </>
  );
}

function Failing(): never {
  throw new Error('thrown on purpose, to show what stands in the place of what failed');
}
