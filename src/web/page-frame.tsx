import type { ReactNode } from 'react';
import { ChatWidget } from '../chat/chat-widget.tsx';

interface PageFrameProps {
  navbar: ReactNode;
  footer: ReactNode;
  mainClass?: string;
  /** Whether the chat starts closed even if it was open on the page before. */
  chatStartsClosed?: boolean;
  chatRests?: boolean;
  children: ReactNode;
}

/** What surrounds a page for visitors. Only the server renders it; shell.browser.ts operates it. */
export function PageFrame(props: PageFrameProps) {
  const { navbar, footer, mainClass, chatStartsClosed = false, chatRests = false } = props;
  return (
    <>
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      {navbar}
      <main id="main" tabIndex={-1} className={mainClass}>
        {props.children}
      </main>
      {footer}
      <ChatWidget startsClosed={chatStartsClosed} rests={chatRests} />
    </>
  );
}
