/** The frame of what is read: who wrote, the marks, the ways to answer. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { personPath } from '../admin/staff-pages.ts';
import { useSite } from '../platform/site.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { mailAddress } from '../ui/contact-links.tsx';
import { DetailCard } from '../ui/records/list-and-detail.tsx';
import { Segments } from '../ui/text/segments.tsx';
import { type InboxList, MARK_LABELS, MARKS } from './inbox.ts';
import type { OpenDetailProps } from './inbox-panel.tsx';
import type { ToldConversation } from './read-inbox.ts';
import { type Found, useMark } from './use-inbox.ts';

type Marked = Pick<ToldConversation, 'reference' | 'email' | 'mark'>;

interface DetailProps<Thing> extends Pick<OpenDetailProps, 'id' | 'onClose'> {
  found: Found<Thing>;
  list: InboxList;
  heading: string;
  /** Further ways to answer, beside the one by email. */
  actions?: (thing: Thing) => ReactNode;
  children: (thing: Thing) => ReactNode;
}

export function Detail<Thing extends Marked>(props: DetailProps<Thing>) {
  const { found, list, id, heading, onClose, actions, children } = props;
  const { thing, isError } = found;
  const marking = useMark(list, id);
  return (
    <DetailCard
      id={id}
      heading={heading}
      aside={<span className="text-sm text-muted tabular-nums">{thing?.reference}</span>}
      failure={isError ? 'Couldn’t load this message.' : null}
      actions={
        <div className="mt-4 flex flex-wrap gap-2">
          {thing?.email && <ReplyLink email={thing.email} />}
          {thing && actions?.(thing)}
          <Button variant="quiet" size="small" onClick={onClose}>
            Close
          </Button>
        </div>
      }
    >
      {thing && (
        <>
          {thing.mark && (
            <div className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2">
              <span aria-hidden="true" className="text-sm text-muted">
                Mark as
              </span>
              <Segments
                label="Mark as"
                value={thing.mark}
                busy={marking.isPending}
                segments={MARKS.map((value) => ({ value, label: MARK_LABELS[value] }))}
                onChange={(mark) => marking.mutate(mark)}
              />
            </div>
          )}
          {children(thing)}
          {thing.email && (
            <Link
              href={personPath(thing.email)}
              className="mt-4 inline-flex min-h-11 items-center rounded-control text-sm underline underline-offset-4"
            >
              Everything from this address
            </Link>
          )}
        </>
      )}
    </DetailCard>
  );
}

function ReplyLink({ email }: { email: string }) {
  const { company } = useSite();
  const subject = encodeURIComponent(`Re: Your inquiry to ${company.name}`);
  return (
    <ButtonLink href={`${mailAddress(email)}?subject=${subject}`} size="small">
      Reply by Email
    </ButtonLink>
  );
}
