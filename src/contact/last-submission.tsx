import { useEffect, useId, useRef, useState } from 'react';
import { useSite } from '../platform/site.ts';
import { CloseButton } from '../ui/button.tsx';
import { DescriptionList } from '../ui/description-list.tsx';
import { Card } from '../ui/layout.tsx';
import { CONTACT_FIELDS, CONTACT_LABELS, type ContactMessage, contactText } from './contact.ts';

interface Submission extends ContactMessage {
  createdAt: string;
}

/** For the debug panel. It is only in memory, so a reload forgets it. */
let lastSubmission: Submission | null = null;

export function rememberSubmission(submission: Submission): void {
  lastSubmission = submission;
}

/** The link that a double click on shows this tab's last submission, for who sets the site up. */
export const EMAIL_LINK = 'direct-email';

export function LastSubmission() {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const link = document.getElementById(EMAIL_LINK);
    const toggle = () => setShown((before) => !before);
    link?.addEventListener('dblclick', toggle);
    return () => link?.removeEventListener('dblclick', toggle);
  }, []);
  return shown && <LastSubmissionPanel onClose={() => setShown(false)} />;
}

function LastSubmissionPanel({ onClose }: { onClose: () => void }) {
  const last = lastSubmission;
  const { company } = useSite();
  const { timeZone } = company.hours;
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
        <DescriptionList
          items={{
            ...Object.fromEntries(
              CONTACT_FIELDS.map((field) => [
                CONTACT_LABELS[field],
                <span key={field} className="whitespace-pre-wrap">
                  {contactText(company, field, last)}
                </span>,
              ]),
            ),
            Received: new Date(last.createdAt).toLocaleString('en-US', { timeZone }),
          }}
        />
      ) : (
        <p className="mt-4">Nothing has been sent from this tab yet.</p>
      )}
    </Card>
  );
}
