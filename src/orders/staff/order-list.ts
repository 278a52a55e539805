/** The list of orders that staff see: what may be asked for, and a row of it. */
import { readPage, readWords } from '../../platform/list-query.ts';
import { ORDER_STATUSES, type OrderStatus } from '../order.ts';

export const ORDERS_PAGE = 50;

/** What the list is narrowed down to; the query parameters of its call and of the screen's address. */
export interface OrderFilter {
  /** Words to be found in name, address or plan, or the order's number. */
  words: string;
  status: OrderStatus | '';
  /** Counts from 1. */
  page: number;
}

/** Reads a filter from query parameters; what makes no sense counts as not given. */
export function readOrderFilter(query: URLSearchParams): OrderFilter {
  return {
    words: readWords(query),
    status: ORDER_STATUSES.find((status) => status === query.get('status')) ?? '',
    page: readPage(query),
  };
}

/** The parameters of a filter, without those that narrow nothing. */
export function writeOrderFilter({ words, status, page }: OrderFilter): URLSearchParams {
  const query = new URLSearchParams();
  if (words) query.set('find', words);
  if (status) query.set('status', status);
  if (page > 1) query.set('page', String(page));
  return query;
}

export const REFUNDABLE: readonly OrderStatus[] = ['paid', 'past_due', 'canceled'];

/** Also one that has been given back: the provider may not have heard yet that it has ended. */
export const ENDABLE: readonly OrderStatus[] = ORDER_STATUSES.filter(
  (status) => status !== 'canceled',
);

export const ENDINGS = ['now', 'period-end'] as const;
