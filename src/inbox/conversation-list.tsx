import { Notice } from '../ui/notice.tsx';
import { type InboxListProps, InboxPanel } from './inbox-panel.tsx';
import { useRows } from './use-inbox.ts';

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
