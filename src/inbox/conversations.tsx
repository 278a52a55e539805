/** What is written in the chat: the list of conversations, and one of them whole. */
import { MailLink, NotProvided } from '../ui/contact-links.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Moment } from '../ui/moment.tsx';
import { Notice } from '../ui/notice.tsx';
import { Detail, type InboxListProps, InboxPanel, type OpenDetailProps } from './inbox-frames.tsx';
import { useRows, useThread } from './use-inbox.ts';

export function ConversationList(props: InboxListProps) {
  const found = useRows('conversations', props.filter);
  return (
    <InboxPanel
      {...props}
      {...found}
      heading="All Conversations"
      about="Last message"
      failure={<Notice kind="error">Couldn’t load the conversations.</Notice>}
      rows={found.rows.map((row) => ({
        ...row,
        at: row.lastAt,
        name: row.name ?? 'Not provided',
        email: row.email ?? 'Not provided',
        about: (
          <>
            {row.messages > 1 && <span>({row.messages}) </span>}
            <bdi className="text-muted">{row.lastMessage}</bdi>
          </>
        ),
      }))}
      empty="No conversations found. When visitors write in the chat, their messages will appear here."
    />
  );
}

export function ConversationDetail({ id, onClose }: OpenDetailProps) {
  return (
    <Detail
      found={useThread(id)}
      list="conversations"
      id={id}
      heading="Conversation"
      onClose={onClose}
    >
      {({ name, email, thread }) => (
        <>
          <Facts>
            <Fact term="Name">{name ? <bdi>{name}</bdi> : <NotProvided />}</Fact>
            <Fact term="Email">
              <MailLink email={email} />
            </Fact>
          </Facts>
          <ol className="mt-5 grid gap-4 text-sm">
            {thread.map((turn) => (
              <li key={turn.id} className="grid gap-2">
                <div className="mr-8 rounded-card rounded-bl-none bg-paper-deep px-4 py-2.5">
                  <p className="text-xs text-muted">
                    {turn.reference}, <Moment at={turn.at} />
                  </p>
                  <bdi className="block break-words whitespace-pre-wrap text-ink">
                    {turn.message}
                  </bdi>
                </div>
                <div className="ml-8 rounded-card rounded-br-none bg-primary-soft px-4 py-2.5">
                  <p className="text-xs text-primary-deep">Automatic reply</p>
                  <p className="break-words whitespace-pre-wrap text-ink">{turn.response}</p>
                </div>
              </li>
            ))}
          </ol>
        </>
      )}
    </Detail>
  );
}
