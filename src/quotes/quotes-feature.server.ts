import type { Feature } from '../site.server.ts';
import { findPeopleCall } from './find-people.server.ts';
import { quoteCalls, remindersCall } from './quote-calls.server.ts';
import {
  quoteChanged,
  quoteMade,
  quoteMailed,
  quoteReminder,
  quoteReminders,
} from './quote-mails.server.ts';
import { staffQuoteCalls } from './staff-quotes.server.ts';

export const quotesFeature: Feature = {
  calls: [quoteCalls, remindersCall, staffQuoteCalls, findPeopleCall],
  intervals: [quoteReminders],
  notifications: [quoteMailed, quoteMade, quoteChanged, quoteReminder],
};
