/** What is stored of one person, found by the email address that was given with it. */
export const NOTHING_STORED = 'Nothing is stored under this email address';

/** Of each kind, the newest are shown; a download holds them all. */
export const MOST_SHOWN = 50;

export const ITEM_KINDS = ['message', 'chat', 'quote', 'order', 'notice'] as const;
