/** What a page leaves of the chat's panel for the next one, each under its name in the tab's store. */
export const PANEL = 'chat-panel';
/** Whether it is open. */
export const OPENED = 'chat-open';
/** What has been typed and not sent. */
export const DRAFT = 'chat-draft';
