import type { MouseEvent } from 'react';
import { Notice } from '../../ui/notice.tsx';
import { CONTACT_FIELDS, type ContactFaults } from '../contact-fields.ts';

/** Names the fields that need another look and leads to them; the words about each stand at the field. */
export function FaultSummary({ faults }: { faults: ContactFaults }) {
  const fields = CONTACT_FIELDS.filter((field) => faults[field]);
  if (fields.length === 0) return null;
  const goTo = (event: MouseEvent<HTMLAnchorElement>) => {
    const field = document.getElementById(event.currentTarget.hash.slice(1));
    if (!field) return;
    event.preventDefault();
    field.focus();
  };
  return (
    <Notice kind="error">
      <p className="font-medium">
        {fields.length === 1 ? 'Please fix this field:' : 'Please fix these fields:'}
      </p>
      <ul className="mt-1 flex flex-wrap gap-x-4">
        {fields.map((field) => (
          <li key={field}>
            <a
              href={`#contact-${field}`}
              onClick={goTo}
              className="inline-block py-1 capitalize underline underline-offset-4"
            >
              {field}
            </a>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
