/** What staff or a customer must hear of; each kind names the row that it is about. */
export type Notice =
  | { kind: 'contact-received'; submissionId: number }
  | { kind: 'chat-received'; chatMessageId: number }
  | { kind: 'order-placed'; orderId: number }
  | { kind: 'order-paid'; orderId: number }
  | { kind: 'order-failed'; orderId: number };
