/** The list of all articles: where it is and what it is called. */
export const NEWS = { path: '/news', title: 'News & Updates' } as const;
