/** The page of one order in the checkout's document; who may see it is told by the fragment of the address. */
export const ORDER_PAGE = { path: '/checkout/order', title: 'Your order' } as const;
