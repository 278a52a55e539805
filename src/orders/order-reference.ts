/** The number under which a customer, staff and emails speak of an order: 'O-12'. */
export function orderReference(id: number): string {
  return `O-${id}`;
}

/** The topic of its notifications. */
export function orderTopic(id: number): string {
  return `order ${id}`;
}
