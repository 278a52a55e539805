/** Which rows belong to a person, and what each is called in records and in notifications. */
import { chatReference, chatTopic } from '../chat/chat.ts';
import { contactReference, contactTopic } from '../contact/contact.ts';
import type { Subject } from '../notifications/outbox-store.server.ts';
import { orderReference, orderTopic } from '../orders/order.ts';
import { quoteReference, quoteTopic } from '../quotes/quote.ts';

/** One row of a table. */
export type Trace = Subject;

export interface Traces {
  messages: Trace[];
  chatMessages: Trace[];
  quotes: Trace[];
  orders: Trace[];
}

export function allOf({ messages, chatMessages, quotes, orders }: Traces): Trace[] {
  return [...messages, ...chatMessages, ...quotes, ...orders];
}

const MOST_NAMED = 20;

/** 'C-4, T-9, O-12', for a record that must not grow without end. */
export function referencesIn(traces: readonly Trace[]): string {
  const named = traces.slice(0, MOST_NAMED).map(({ reference }) => reference);
  const more = traces.length - named.length;
  return named.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

export function idsOf(traces: readonly Trace[]): number[] {
  return traces.map(({ id }) => id);
}

export function messageTrace({ id }: { id: number }): Trace {
  return { id, reference: contactReference(id), topic: contactTopic(id) };
}

export interface ChatRow {
  id: number;
  conversation: string;
}

export function chatTrace({ id, conversation }: ChatRow): Trace {
  return { id, reference: chatReference(id), topic: chatTopic(conversation) };
}

export function quoteTrace({ id }: { id: number }): Trace {
  return { id, reference: quoteReference(id), topic: quoteTopic(id) };
}

export function orderTrace({ id }: { id: number }): Trace {
  return { id, reference: orderReference(id), topic: orderTopic(id) };
}
