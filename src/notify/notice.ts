/** What staff or a customer must hear of; each kind names the row that it is about. */
export type Notice =
  | { kind: 'contact-received'; submissionId: number }
  | { kind: 'chat-received'; chatMessageId: number }
  | { kind: OrderNews; orderId: number };

/** What happens to an order once it is paid; before, nobody hears of it. */
export type OrderNews =
  | 'order-paid'
  | 'order-renewal-failed'
  | 'order-disputed'
  | 'order-refunded'
  /** Its end is decided; it runs until then. */
  | 'order-ending'
  | 'order-ended';
