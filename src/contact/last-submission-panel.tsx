import { useEffect, useId, useRef } from 'react';
import { CloseButton } from '../ui/button.tsx';
import { Card } from '../ui/layout.tsx';
import { CONTACT_FIELDS, serviceLabel } from './contact.ts';
import { lastSubmission } from './visitor.ts';

/** For those who set the site up: what the form sent last from this tab. A double click on the email link toggles it. */
export default function LastSubmissionPanel({ onClose }: { onClose: () => void }) {
  const last = lastSubmission();
  const title = useRef<HTMLHeadingElement>(null);
  const id = useId();

  useEffect(() => {
    const link = document.activeElement;
    title.current?.scrollIntoView({ block: 'center' });
    title.current?.focus({ preventScroll: true });
    return () => {
      if (link instanceof HTMLElement) link.focus({ preventScroll: true });
    };
  }, []);

  return (
    <Card className="relative mt-6 text-sm">
      <h3 ref={title} id={id} tabIndex={-1} className="pr-10 text-lg tracking-tight">
        Last Form Submission
      </h3>
      <CloseButton
        aria-label="Close"
        aria-describedby={id}
        onClick={onClose}
        className="absolute top-4 right-4"
      />
      {last ? (
        <dl className="mt-4 grid gap-x-6 gap-y-2 sm:grid-cols-[auto_1fr]">
          {CONTACT_FIELDS.map((field) => (
            <Row key={field} term={field.charAt(0).toUpperCase() + field.slice(1)}>
              {field === 'service'
                ? (serviceLabel(last.service) ?? 'Not specified')
                : last[field] || 'Not provided'}
            </Row>
          ))}
          <Row term="Received">{new Date(last.createdAt).toLocaleString('en-US')}</Row>
        </dl>
      ) : (
        <p className="mt-4">Nothing has been sent from this tab yet.</p>
      )}
    </Card>
  );
}

function Row({ term, children }: { term: string; children: string }) {
  return (
    <>
      <dt className="text-muted">{term}</dt>
      <dd className="min-w-0 break-words whitespace-pre-wrap text-ink max-sm:mb-2">{children}</dd>
    </>
  );
}
