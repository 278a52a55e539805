import { fields, nullable, type Reader, record, text } from '../platform/old/read.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Container } from '../ui/container.tsx';
import { Notice } from '../ui/notice.tsx';
import { type ContactValues, eachField, SENT } from './contact-fields.ts';
import { ContactForm, type ReturnedMessage } from './contact-form.tsx';

/** What came of a message that was sent without script; `refused` is one that nobody has looked at, and why. */
export type ContactOutcome =
  | { reference: string }
  | { returned: ReturnedMessage }
  | { refused: string };

const readFields = fields<ContactValues>(eachField(() => text));

export const readContent: Reader<ContactOutcome> = (value) =>
  fields({ reference: text })(value) ??
  fields({ refused: text })(value) ??
  fields({
    returned: fields<ReturnedMessage>({
      values: readFields,
      faults: record(text),
      problem: nullable(text),
    }),
  })(value);

export default function ContactPage({ content }: { content: ContactOutcome }) {
  return (
    <section className="bg-paper pt-navbar">
      <Container className="py-16 lg:py-24">
        {'reference' in content ? (
          <>
            <h1 className="text-2xl tracking-[-0.03em]">{SENT.title}</h1>
            <p className="mt-4 max-w-prose text-lg">{SENT.description}</p>
            <p className="mt-4">
              Your reference is <strong className="text-ink">{content.reference}</strong>.
            </p>
            <ButtonLink href="/" className="mt-8">
              Back to Home
            </ButtonLink>
          </>
        ) : 'refused' in content ? (
          <>
            <h1 className="text-2xl tracking-[-0.03em]">Your message wasn’t sent</h1>
            <div className="mt-6 max-w-3xl">
              <Notice kind="error">{content.refused}</Notice>
            </div>
            <p className="mt-4 max-w-prose text-lg">
              What you wrote is still in the form. Use your browser’s Back button to return to it.
            </p>
          </>
        ) : (
          <>
            <h1 className="mb-8 text-2xl tracking-[-0.03em]">Send us a Message</h1>
            <Card className="max-w-3xl shadow-raised">
              <ContactForm returned={content.returned} />
            </Card>
          </>
        )}
      </Container>
    </section>
  );
}
