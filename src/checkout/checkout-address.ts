/** The checkout: where it is and what it is called. */
export const CHECKOUT = { path: '/checkout', title: 'Checkout' } as const;

/** With it, the checkout is that of a quote; its value is the quote's token. */
export const QUOTE_PARAMETER = 'quote';

/** With it, the tab has paid: a reload shows the order, never the shop for a moment. */
export const PLACED_PARAMETER = 'placed';

/** With it in its address, the checkout is the return from paying. */
export const RETURN_PARAMETER = 'payment_intent_client_secret';
