/** Where on the order's page somebody is. The fragment holds it with the link's token, so that no server sees either. */
export interface OrderRoute {
  token: string;
  /** The payment whose receipt is shown. */
  receipt: string | null;
}

const RECEIPT = '/receipt/';

export function readRoute(hash: string): OrderRoute {
  const [token = '', receipt = null] = hash.replace(/^#/, '').split(RECEIPT);
  return { token, receipt };
}

export function hashOf({ token, receipt }: OrderRoute): string {
  return `#${token}${receipt === null ? '' : RECEIPT + receipt}`;
}
