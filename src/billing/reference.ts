/** The numbers of orders and quotes as people see them; the only place that knows their form. */

/** The order number that people see, such as 'O-12'. */
export function orderReference(id: number): string {
  return `O-${id}`;
}

/** The number of the quote that an order pays, such as 'Q-12'. */
export function quoteReference(id: number): string {
  return `Q-${id}`;
}
