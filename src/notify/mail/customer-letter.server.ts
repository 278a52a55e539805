/**
 * What customers get. Whoever typed the address need not be whom it belongs to, so nothing that a visitor wrote is
 * repeated to it: no message, and the name only when it can be nothing but a name.
 */
import { priceLinesOf } from '../../catalogue/pricing.ts';
import { salesTax } from '../../checkout/order.ts';
import { openingHours } from '../../company/hours.ts';
import { cents } from '../../platform/money.ts';
import type { Row } from '../../platform/tables.server.ts';
import { reference } from '../reference.ts';
import { momentIn, TEST_MODE, type Writer } from '../staff-message.server.ts';
import type { Letter } from './letter.server.ts';

export function confirmationLetter(
  submission: Row<'contactSubmissions'>,
  { company, publicUrl }: Writer,
): Letter {
  const number = reference('contact', submission.id);
  return {
    subject: `We have received your message (${number})`,
    heading: 'Thank you for your message',
    parts: [
      { kind: 'paragraph', text: greeting(submission.name) },
      {
        kind: 'paragraph',
        text: `Your message has reached us under the reference ${number}. We'll get back to you soon: our desk is open ${openingHours(company.hours)}.`,
      },
      {
        kind: 'paragraph',
        text: `If it cannot wait, call ${company.phone.display} and name the reference. To add something, reply to this email.`,
      },
    ],
    footer: [
      `${company.legalName}, ${publicUrl}`,
      `You get this email because this address was given on our website. If that was not you, ignore it: nothing else will follow.`,
    ],
    replyTo: { name: company.name, address: company.email },
  };
}

/** `paidAt` in milliseconds since 1970. */
export function receiptLetter(
  order: Row<'orders'>,
  paidAt: number,
  { company, publicUrl, orderPage }: Writer,
): Letter {
  const number = reference('order', order.id);
  const { street, city, region, postalCode } = company.address;
  const tax = salesTax(order);
  return {
    subject: `Receipt for your order ${number}`,
    heading: 'Thank you for your order',
    parts: [
      { kind: 'paragraph', text: greeting(order.name) },
      ...(order.provider === 'test' ? [{ kind: 'warning' as const, text: TEST_MODE }] : []),
      {
        kind: 'paragraph',
        text: `Your payment has arrived. This is what you have ordered, billed every month:`,
      },
      { kind: 'prices', lines: priceLinesOf(order), tax, total: cents(order.amountCents + tax) },
      {
        kind: 'facts',
        facts: [
          ['Order', number],
          ['Paid', momentIn(company, paidAt)],
        ],
      },
      { kind: 'link', label: 'Your order and its billing', url: orderPage(order.id) },
      {
        kind: 'paragraph',
        text: `We will be in touch shortly. Questions? Reply to this email or call ${company.phone.display}, ${openingHours(company.hours)}.`,
      },
    ],
    footer: [`${company.legalName}, ${street}, ${city}, ${region} ${postalCode}`, publicUrl],
    replyTo: { name: company.name, address: company.email },
  };
}

const MOST_WORDS = 4;
const LETTERS_OF_A_NAME = /^[\p{L}\p{M}.'’ -]{2,50}$/u;
/** What a mail program would make a link of. */
const LIKE_A_DOMAIN = /\.\p{L}{2}/u;

export function greeting(name: string): string {
  const isName =
    LETTERS_OF_A_NAME.test(name) &&
    !LIKE_A_DOMAIN.test(name) &&
    name.split(' ').length <= MOST_WORDS;
  return isName ? `Hello ${name},` : 'Hello,';
}
