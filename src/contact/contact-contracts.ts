/** The contact form's call. */

import type { Contract } from '../platform/contract.ts';
import type { contactMessage } from './contact-message.ts';
import type { contactAnswer } from './contact-shapes.ts';

export const SEND_CONTACT: Contract<typeof contactMessage, typeof contactAnswer> =
  'POST /api/contact';
