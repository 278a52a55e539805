import { describe, expect, test } from 'vitest';
import { firstAnswer } from './chat-message.server.ts';

const COMPANY = {
  phone: { display: '(770) 555-0142', tel: '+17705550142' },
  hours: {
    days: [
      'Monday' as const,
      'Tuesday' as const,
      'Wednesday' as const,
      'Thursday' as const,
      'Friday' as const,
    ],
    opens: '08:30',
    closes: '17:30',
    timeZone: 'America/New_York',
    zone: 'ET',
  },
};
const nobody = { name: null, email: null };
const says = (moment: string, who: { name: string | null; email: string | null } = nobody) =>
  firstAnswer(who, COMPANY, Date.parse(moment));

describe('the first answer in the chat', () => {
  test('within the hours it says until when, and how a reply can come', () => {
    expect(says('2026-03-18T12:30:00-04:00')).toBe(
      'Thank you. Our support desk is open until 5:30 PM ET. For a reply, send your email address or call (770) 555-0142.',
    );
  });

  test('it uses the name, and promises the reply by email to those who gave an address', () => {
    const ann = { name: 'Ann', email: 'ann@lakeside.example' };
    expect(says('2026-03-18T12:30:00-04:00', ann)).toBe(
      'Thank you, Ann. Our support desk is open until 5:30 PM ET. We’ll email our reply to ann@lakeside.example.',
    );
    expect(says('2026-03-18T22:00:00-04:00', ann)).toBe(
      'Thank you, Ann. We’re closed right now. Our support desk opens tomorrow at 8:30 AM ET. We’ll email our reply to ann@lakeside.example.',
    );
  });

  test.each([
    ['before the desk opens', '2026-03-18T08:29:59-04:00', 'today at 8:30 AM ET'],
    ['in the evening', '2026-03-18T17:30:00-04:00', 'tomorrow at 8:30 AM ET'],
    ['on a Friday evening', '2026-03-20T18:00:00-04:00', 'on Monday at 8:30 AM ET'],
    ['on a Saturday', '2026-03-21T12:00:00-04:00', 'on Monday at 8:30 AM ET'],
    ['on a Sunday', '2026-03-22T23:59:00-04:00', 'tomorrow at 8:30 AM ET'],
    // 05:00 UTC is midnight in winter and 1 AM in summer.
    ['the night before the clocks go forward', '2026-03-08T05:00:00Z', 'tomorrow at 8:30 AM ET'],
    ['the night before the clocks go back', '2026-11-01T05:00:00Z', 'tomorrow at 8:30 AM ET'],
  ])('%s it says when the desk opens', (_, moment, opening) => {
    expect(says(moment)).toContain(
      `Thank you. We’re closed right now. Our support desk opens ${opening}. For a reply,`,
    );
  });

  test.each([
    ['in winter the desk opens at 13:30 UTC', '2026-01-14T13:29:00Z', '2026-01-14T13:30:00Z'],
    ['in summer at 12:30 UTC', '2026-07-15T12:29:00Z', '2026-07-15T12:30:00Z'],
  ])('%s', (_, before, after) => {
    expect(says(before)).toContain('opens today');
    expect(says(after)).toContain('is open until 5:30 PM ET');
  });
});
