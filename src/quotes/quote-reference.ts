/** The number under which a customer, staff and emails speak of a quote: 'Q-12'. */
export function quoteReference(id: number): string {
  return `Q-${id}`;
}

/** The topic of its notifications. */
export function quoteTopic(id: number): string {
  return `quote ${id}`;
}
