/** The page of one quote in the checkout's document; its address is all that is needed to see it. */
export const QUOTE_PAGE = { path: '/quote/:token', title: 'Your quote' } as const;
