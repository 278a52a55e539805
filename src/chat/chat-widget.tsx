import MessageCircle from 'lucide-react/icons/message-circle';
import X from 'lucide-react/icons/x';
import { OpenNow } from '../company/opening-hours.tsx';
import { useSite } from '../platform/site.ts';
import { CloseButton } from '../ui/button.tsx';
import { CHAT_PANEL as PANEL } from '../ui/contact-links.tsx';
import { PartFailure } from '../ui/failure-boundary.tsx';
import { ChatLoading } from './chat-loading.tsx';

/** Above the chat button or the keyboard, below the navbar; on a short screen, over the button. */
const PLACE =
  'fixed inset-x-3 top-auto bottom-(--panel-foot) max-h-[calc(100dvh-0.5rem-var(--panel-foot))] [--panel-foot:max(1rem+var(--foot),0.5rem+var(--keyboard,0px))] sm:right-6 sm:left-auto sm:max-h-[calc(100dvh-0.5rem-var(--spacing-navbar)-var(--panel-foot))] short:max-h-[calc(100dvh-0.5rem-var(--panel-foot))] short:[--panel-foot:calc(0.5rem+var(--keyboard,0px))]';

interface ChatWidgetProps {
  startsClosed: boolean;
  /** The page has a button of its own for it (CompanyContacts). */
  rests: boolean;
}

/**
 * The chat button and its panel, a popover, so that it opens before the script runs. Where it
 * starts closed, a press beside it closes it. operate-chat.ts fetches its content.
 */
export function ChatWidget({ startsClosed, rests }: ChatWidgetProps) {
  return (
    <div
      data-chat
      data-rests={rests || undefined}
      className="group/chat noscript:hidden print:hidden"
    >
      <div
        id={PANEL}
        popover={startsClosed ? 'auto' : 'manual'}
        role="dialog"
        aria-labelledby="chat-title"
        data-docked
        className={`${PLACE} z-40 m-0 w-auto flex-col overflow-x-hidden overflow-y-auto rounded-card border border-line bg-surface p-0 text-sm text-body shadow-raised open:flex sm:w-96`}
      >
        <PanelHead />
        <div id="chat-content" className="contents">
          <ChatLoading />
        </div>
        {/* In place of the content that could not be fetched. */}
        <template>
          <PartFailure />
        </template>
      </div>
      <button
        type="button"
        popoverTarget={PANEL}
        aria-label="Chat with us"
        data-tooltip
        className="group/button fixed right-4 bottom-(--chat-bottom,1rem) z-40 grid size-12 place-items-center rounded-full bg-primary text-white shadow-raised sm:right-(--chat-right,1.5rem) lg:bottom-6 min-[85rem]:size-14 forced-colors:border hover:bg-primary-deep group-data-rests/chat:not-data-unseen:hidden"
      >
        <X className="hidden size-6 group-has-[:popover-open]/chat:block" />
        <MessageCircle className="size-6 group-has-[:popover-open]/chat:hidden" />
        <span className="absolute top-0 right-0 hidden size-4 rounded-full border-2 border-surface bg-danger group-data-unseen/button:block" />
      </button>
    </div>
  );
}

function PanelHead() {
  const { supportName } = useSite().company;
  return (
    <div className="on-night flex shrink-0 items-center gap-3 px-5 py-3 short:py-0">
      <div className="min-w-0 flex-1 short:flex short:flex-wrap short:items-baseline short:gap-x-3">
        <h2 id="chat-title" className="text-base leading-6">
          {supportName}
        </h2>
        <p className="text-xs">Teams Chat Integration</p>
        <p className="min-h-5 text-xs text-white short:hidden">
          <OpenNow />
        </p>
      </div>
      <CloseButton
        aria-label="Close chat"
        popoverTarget={PANEL}
        popoverTargetAction="hide"
        className="-mr-2"
      />
    </div>
  );
}
