/** The checkout: where it is and what it is called. */
export const CHECKOUT = { path: '/checkout', title: 'Checkout' } as const;
