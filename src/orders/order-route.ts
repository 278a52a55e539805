/** The customer's page of an order, and what of it is shown. */
export const ORDER_PAGE = { path: '/checkout/order', title: 'Your order' } as const;

/** Stands in the fragment of the address with the link's token, so that no server sees either. */
export interface OrderRoute {
  token: string;
  /** The payment whose receipt is shown. */
  receipt: string | null;
  /** Admits this browser to changes, once. */
  access: string | null;
}

const RECEIPT = '/receipt/';
const ACCESS = '/access/';

type OrderAddress = Pick<OrderRoute, 'token'> & Partial<OrderRoute>;

export function readRoute(hash: string): OrderRoute {
  const [link = '', access = null] = hash.replace(/^#/, '').split(ACCESS);
  const [token = '', receipt = null] = link.split(RECEIPT);
  return { token, receipt, access };
}

export function hashOf({ token, receipt = null, access = null }: OrderAddress): string {
  return `#${token}${receipt === null ? '' : RECEIPT + receipt}${access === null ? '' : ACCESS + access}`;
}
