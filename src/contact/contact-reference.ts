/** The number under which a visitor, staff and emails speak of a contact message: 'C-12'. */
export function contactReference(id: number): string {
  return `C-${id}`;
}

/** The topic of its notifications. */
export function contactTopic(id: number): string {
  return `submission ${id}`;
}
