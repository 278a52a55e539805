/** The contact form's call. */
import type { Contract } from '../platform/contract.ts';
import type { contactMessage, contactReceived } from './contact-message.ts';

export const SEND_CONTACT: Contract<typeof contactMessage, typeof contactReceived> =
  'POST /api/contact';
