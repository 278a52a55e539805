import { SITE_PAGES } from '../routes.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Island } from '../ui/island.tsx';
import { Card, Container } from '../ui/layout.tsx';
import { type ContactOutcome, SENT } from './contact.ts';
import { ContactForm } from './contact-form.tsx';

export default function ContactPage({ content }: { content: ContactOutcome }) {
  return (
    <section className="bg-paper pt-navbar">
      <Container className="py-16 lg:py-24">
        {'reference' in content ? (
          <>
            <h1 className="text-2xl tracking-[-0.03em]">{SENT.title}</h1>
            <p className="mt-4 max-w-text text-lg">{SENT.description}</p>
            <p className="mt-4">
              Your reference is <strong className="text-ink">{content.reference}</strong>.
            </p>
            <ButtonLink href={SITE_PAGES.home.path} className="mt-8">
              Back to Home
            </ButtonLink>
          </>
        ) : (
          <>
            <h1 className="mb-8 text-2xl tracking-[-0.03em]">Send us a Message</h1>
            <Card className="max-w-3xl shadow-raised">
              <Island>
                <ContactForm returned={content.returned} />
              </Island>
            </Card>
          </>
        )}
      </Container>
    </section>
  );
}
