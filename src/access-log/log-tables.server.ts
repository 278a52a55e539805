/** The requests that were answered, and what was counted of them. */
import type { Generated } from 'kysely';
import type { Flag } from '../platform/database/tables.server.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    accessLog: AccessLogTable;
    accessTallies: AccessTallyTable;
    accessVisitors: AccessVisitorTable;
    accessKeys: AccessKeyTable;
    accessDropped: AccessDroppedTable;
  }
}

/** The requests of up to a second: as text they cost a tenth of what a row for each would, to write and to read. */
interface AccessLogTable {
  id: Generated<number>;
  /** When the first and the last of them came. */
  firstAt: number;
  lastAt: number;
  /** Characters of the lines. */
  size: number;
  /** 0 once they are a day old and hold no address any more. */
  addresses: Flag;
  /** One of CSV for each request, newest first, as `packLines` does it; null in rows of before that. */
  packed: Uint8Array | null;
  /** The same as text in those rows, '' in others. */
  lines: string;
}

/** What one server counted within one minute or hour; those of several servers add up. */
interface AccessTallyTable {
  id: string;
  span: 'minute' | 'hour';
  /** When the minute or hour began. */
  bucket: number;
  /** As tally.server.ts writes them. */
  counts: string;
}

/** Who came within the last day, under a number that nobody can make again once its day's key is gone. */
interface AccessVisitorTable {
  visitor: number;
  /** The minute, in milliseconds. */
  lastSeen: number;
}

interface AccessKeyTable {
  /** '2026-05-13' */
  day: string;
  secret: string;
}

/** One row: requests up to this moment are counted, but the details of some of them are gone. */
interface AccessDroppedTable {
  id: number;
  until: number;
}
