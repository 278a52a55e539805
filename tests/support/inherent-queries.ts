/** What reads all of a table because it must, and why that stays bearable. */

/** Tables that do not grow with visitors, whoever comes and however often. */
export const BOUNDED: Record<string, string> = {
  plans: 'as many as content/ has',
  services: 'as many as content/ has',
  solutions: 'as many as content/ has',
  testimonials: 'as many as content/ has',
  users: 'one account: keepAdminAccount drops others',
  sessions: "one account's of the last 12 hours; only the password opens one",
  signingKeys: 'a name for each use in the code',
  accessLogHours: 'at most 500 paths and some statuses for each hour of the retention',
  accessLogVisitors: 'at most a million, whoever comes',
  stripeCursors: 'live and test',
  writeProbes: 'one row',
};

export interface Inherent {
  why: string;
  /** The tables of which all may be read; '' for a sort. */
  of: readonly string[];
  sql: RegExp;
}

const WRITTEN = ['contactSubmissions', 'chatMessages', 'quotes'];

export const INHERENT: readonly Inherent[] = [
  {
    why: 'Words are found anywhere in a text, which no index of both engines does. Staff alone search, one list at a time; messages go after KEEP_MESSAGES_DAYS.',
    of: [...WRITTEN, 'orders', ''],
    sql: / like \? escape /,
  },
  {
    why: 'Marks and statuses are counted over all there is, for the tabs of a list: entries of an index, no rows. Kept counts would be wrong after each kill, erasure and restore.',
    of: [...WRITTEN, 'orders'],
    sql: /^select ("last"\.)?"(mark|status)", count\(\*\) as "count" from \S+ (as "last" where not exists \([^)]+\) )?group by \S+$/,
  },
  {
    why: 'Where a quote stands follows from the clock and from its orders, and is no column. Staff alone narrow the list by it; quotes go after KEEP_MESSAGES_DAYS.',
    of: ['quotes', 'orders', 'orderStatuses', ''],
    sql: / as "state" from .* (group by "state"|where "state" = \?)/,
  },
  {
    why: 'The newest messages are walked until a page is full; a mark that few have is looked for in all of them.',
    of: ['chatMessages', ''],
    sql: /^select "last"\.\*.* limit \? offset \?$/,
  },
  {
    why: "How many pages the staff's log has: entries of an index. 100,000 failures are kept at most, and a year of what staff did.",
    of: ['audit'],
    sql: /^select count\(\*\) as "total" from "audit"$/,
  },
  {
    why: 'An address with letters beyond English is compared by lower() alone (same-address.server.ts). Staff ask, or its owner, within the limits of forms and orders.',
    of: [...WRITTEN, 'orders', 'orderLinkRequests', 'safeguardsReports'],
    sql: /(?<!and )lower\("email"\) = lower\(cast\(\? as text\)\)(?!\))/,
  },
  {
    why: 'Buckets of failed sign-ins that are over, once an hour: 262,144 at most, whoever fails.',
    of: ['signInFailures'],
    sql: /^delete from "signInFailures" where \("signInFailures"\."since" <= \? or /,
  },
  {
    why: 'Open deliveries in the order of their urgency, which is no column: as many as wait or were set aside, not those of a month that were accepted.',
    of: [''],
    sql: /^select \* from "outbox" where "state" in \(\?, \?\) order by "state", case /,
  },
];
