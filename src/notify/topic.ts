/** Notices of one topic reach each receiver in the order in which they happened. */
export const TOPICS = {
  contact: (submissionId: number) => `submission ${submissionId}`,
  chat: (conversation: string) => `conversation ${conversation}`,
  order: (orderId: number) => `order ${orderId}`,
};
