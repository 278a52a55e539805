/** The number under which a visitor, staff and emails speak of a chat message: 'T-12'. */
export function chatReference(id: number): string {
  return `T-${id}`;
}

/** The topic of its notifications, which is that of its whole conversation. */
export function chatTopic(conversation: string): string {
  return `conversation ${conversation}`;
}
