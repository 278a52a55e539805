/** The number under which a visitor, staff and mails speak of one message or order. */
const LETTERS = { contact: 'C', chat: 'T', order: 'O' } as const;

/** 'C-12' for the contact submission with id 12, 'T-…' for a chat message, 'O-…' for an order. */
export function reference(of: keyof typeof LETTERS, id: number): string {
  return `${LETTERS[of]}-${id}`;
}
