/** An open contact message or chat conversation: its text, its mark, and ways to reply. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { serviceLabel } from '../contact/contact.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { useSite } from '../platform/site.ts';
import { personPath } from '../staff/staff-links.ts';
import { MARKS, type Mark } from '../threads/thread.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { callAddress, MailLink, mailAddress, PhoneLink } from '../ui/contact-links.tsx';
import { DescriptionList } from '../ui/description-list.tsx';
import { LocalTime } from '../ui/local-time.tsx';
import { DetailCard } from '../ui/records/list-and-detail.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { showToast } from '../ui/toast/toast.ts';
import { GET_THREAD, MARK_LABELS, MARK_THREAD, type OpenThread } from './inbox-api.ts';

interface OpenProps {
  id: number;
  onClose: () => void;
}

/** The screen of threads replaces this. */
export function ThreadDetail({ id, onClose }: OpenProps) {
  const { data, isError } = useQuery({
    queryKey: ['inbox', 'thread', id],
    queryFn: ({ signal }) => fetchCall(GET_THREAD, { params: { id }, signal }),
  });
  return (
    <Detail
      id={id}
      onClose={onClose}
      isError={isError}
      message={data}
      actions={
        data?.phone && (
          <ButtonLink href={callAddress(data.phone)} variant="quiet" size="small">
            Call
          </ButtonLink>
        )
      }
    >
      {data && (
        <>
          <DescriptionList
            items={{
              Name: <bdi>{data.name}</bdi>,
              Email: <MailLink email={data.email} />,
              Phone: <PhoneLink phone={data.phone} />,
              Service: <ServiceBadge service={data.service} />,
              'Submission Date': <LocalTime at={data.createdAt} full />,
            }}
          />
          <ol className="mt-5 grid gap-4 text-sm">
            {data.entries.map((entry) => (
              <li key={entry.id} className="rounded-card bg-paper-deep px-4 py-2.5">
                <p className="text-xs text-muted">
                  <span>{`${entry.author ?? entry.reference} `}</span>
                  <LocalTime at={entry.at} />
                </p>
                <bdi className="block wrap-anywhere whitespace-pre-wrap text-ink">{entry.text}</bdi>
              </li>
            ))}
          </ol>
        </>
      )}
    </Detail>
  );
}

/** The service's label, or its value if it is no longer offered. */
export function ServiceBadge({ service }: { service: string | null }) {
  if (!service) return <span className="text-muted">Not specified</span>;
  return (
    <Badge>
      <bdi className="truncate">{serviceLabel(service) ?? service}</bdi>
    </Badge>
  );
}

interface DetailProps extends OpenProps {
  /** Undefined while loading. */
  message: OpenThread | undefined;
  isError: boolean;
  /** Ways to reply other than email. */
  actions?: ReactNode;
  children: ReactNode;
}

function Detail(props: DetailProps) {
  const { id, onClose, message, isError, actions, children } = props;
  const marking = useMark(id);
  const subject = encodeURIComponent(`Re: Your inquiry to ${useSite().company.name}`);
  return (
    <DetailCard
      id={id}
      heading="Submission Details"
      aside={<span className="text-sm text-muted tabular-nums">{message?.reference}</span>}
      failure={isError ? 'Couldn’t load this message.' : null}
      actions={
        <div className="mt-4 flex flex-wrap gap-2">
          {message?.email && (
            <ButtonLink href={`${mailAddress(message.email)}?subject=${subject}`} size="small">
              Reply by Email
            </ButtonLink>
          )}
          {actions}
          <Button variant="quiet" size="small" onClick={onClose}>
            Close
          </Button>
        </div>
      }
    >
      {message && (
        <>
          {message.mark && (
            <div className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2">
              <span aria-hidden="true" className="text-sm text-muted">
                Mark as
              </span>
              <SegmentedControl
                label="Mark as"
                value={message.mark}
                busy={marking.isPending}
                segments={MARKS.map((value) => ({ value, label: MARK_LABELS[value] }))}
                onChange={(chosen) => {
                  const mark = MARKS.find((value) => value === chosen);
                  if (mark) marking.mutate(mark);
                }}
              />
            </div>
          )}
          {children}
          {message.email && (
            <Link
              href={personPath(message.email)}
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

function useMark(id: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (mark: Mark) => fetchCall(MARK_THREAD, { params: { id }, body: { mark } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['inbox'] }),
    onError: () =>
      showToast({
        title: 'Error',
        description: 'Couldn’t save the change. Please try again.',
        variant: 'destructive',
      }),
  });
}
