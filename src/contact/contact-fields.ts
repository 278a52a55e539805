/**
 * The contact form's fields as they are typed, its words, and what the tab keeps of its visitor. There is no schema in
 * this file, so the form appears before one is loaded.
 */
import { forget, recall, remember } from '../platform/browser/session-storage.ts';
import { fields, type Read, text } from '../platform/old/read.ts';

export const CONTACT_FIELDS = ['name', 'email', 'phone', 'service', 'message'] as const;
export type ContactField = (typeof CONTACT_FIELDS)[number];

export type ContactValues = Record<ContactField, string>;
/** In words for the person at the form. */
export type ContactFaults = Partial<ContactValues>;

/** One thing for each field. */
export function eachField<Thing>(
  make: (field: ContactField) => Thing,
): Record<ContactField, Thing> {
  const entries = CONTACT_FIELDS.map((field) => [field, make(field)]);
  return Object.fromEntries(entries);
}

/** What a message may be about: stored by value, shown by label. */
export const SERVICE_CHOICES = {
  'managed-it': 'IT Managed Services',
  network: 'Network Support & Maintenance',
  cybersecurity: 'Cybersecurity Services',
  hardware: 'Hardware Procurement & Integration',
  telecom: 'Telecommunications Services',
  voip: 'VoIP Services',
  cellular: 'Cellular Services',
  internet: 'Internet Services',
  cloud: 'Cloud Services',
  virtual: 'Virtual Infrastructure',
  saas: 'Software-as-a-Service',
  consulting: 'IT Consulting',
  other: 'Other',
} as const;

/** Undefined for none, and for one that is not offered any more. */
export function serviceLabel(service: string | null): string | undefined {
  return Object.entries(SERVICE_CHOICES).find(([value]) => value === service)?.[1];
}

export const SENT = {
  title: 'Message Sent Successfully!',
  description: "Thank you for your message. We'll get back to you soon.",
};

export const NOT_SENT = 'There was a problem sending your message. Please try again.';

/** Who is writing. Given once, at the chat or the contact form, it needs no second typing (WCAG 3.3.7). */
export const readVisitor = fields({ name: text, email: text });
export type VisitorDetails = Read<typeof readVisitor>;

const VISITOR = 'visitor';
const visitorListeners = new Set<(details: VisitorDetails) => void>();

export function knownVisitor(): VisitorDetails | null {
  return recall(VISITOR, readVisitor);
}

export function rememberVisitor(details: VisitorDetails): void {
  remember(VISITOR, details);
  for (const listener of visitorListeners) listener(details);
}

export function onVisitorKnown(listener: (details: VisitorDetails) => void): () => void {
  visitorListeners.add(listener);
  return () => visitorListeners.delete(listener);
}

const DRAFT = 'contact-draft';

/** Words that another page has put together for the contact form; kept until the form is there. */
export function draftMessage(message: string): void {
  remember(DRAFT, message);
}

/** Only once: what is deleted in the form does not come back. */
export function takeDraft(): string | null {
  const draft = recall(DRAFT, text);
  if (draft !== null) forget(DRAFT);
  return draft;
}

interface SentMessage extends Record<ContactField, string | null> {
  /** ISO 8601. */
  createdAt: string;
}

/** The last message sent from this tab, for the debug panel; in memory only, so that a reload forgets it. */
let last: SentMessage | null = null;
const submissionListeners = new Set<() => void>();

export function keepLastSubmission(submission: SentMessage): void {
  last = submission;
  for (const listener of submissionListeners) listener();
}

export function lastSubmission(): SentMessage | null {
  return last;
}

export function onSubmission(listener: () => void): () => void {
  submissionListeners.add(listener);
  return () => submissionListeners.delete(listener);
}
