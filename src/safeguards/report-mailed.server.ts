/** Somebody has asked for the result of the self-check; it goes to the address that was given, and to nobody else. */
import { STAFF_PAGES } from '../admin/staff-pages.ts';
import { addressLine } from '../company/company.ts';
import { openingHours } from '../company/hours.ts';
import type { NotificationKind } from '../notify/notification.server.ts';
import { findReport, type Report, type StoredReport } from './report-store.server.ts';
import { HOW_ORDERED, NOT_ADVICE } from './result-words.ts';
import { SAFEGUARDS } from './safeguards-address.ts';

export const safeguardsReport: NotificationKind<Report> = {
  kind: 'safeguards-report',
  about: 'reportId',
  find: findReport,
  reference: (id) => `S-${id}`,
  topic: ({ id }) => `safeguards ${id}`,
  channels: () => ['mail-customer'],
  staffMessage: (_report, { publicUrl }) => ({
    title: 'Safeguards report requested',
    suspicious: false,
    warning: null,
    facts: [],
    text: null,
    lines: [],
    reply: null,
    staffUrl: `${publicUrl}${STAFF_PAGES.inbox.path}`,
  }),
  customerEmail({ email, report }, _at, { company, publicUrl }) {
    // Written by this server when it was asked for.
    const { counts, elements, first }: StoredReport = JSON.parse(report);
    const { name, legalName, address, phone, hours } = company;
    return {
      to: email,
      name: '',
      subject: 'Your FTC Safeguards self-check',
      heading: 'Your FTC Safeguards self-check',
      parts: [
        `The nine elements of 16 CFR Part 314 and the notice to the FTC, by the answers that were given: ${counts}.`,
        ...(first.length > 0 ? ['What to do first:', ...first, HOW_ORDERED] : []),
        { kind: 'facts', facts: elements },
        `${NOT_ADVICE} It repeats what was answered, and checks nothing. For your own store, ask your attorney.`,
        { kind: 'link', label: 'Take the check again', url: `${publicUrl}${SAFEGUARDS.path}` },
        `Want help with what’s open? Reply to this email or call ${phone.display}, ${openingHours(hours)}. Nobody will call you unless you ask.`,
      ],
      footer: [
        'You’re getting this email because someone entered this address on our website. If it wasn’t you, please ignore it. It’s the only one.',
        `${legalName}, ${addressLine(address)}`,
        `${name}, ${publicUrl}`,
      ],
    };
  },
};
