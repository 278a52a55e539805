let format: Intl.DateTimeFormat | undefined;

/** 'May 1, 2025', on the reader's clock; `time` as an answer tells it, or a Date. */
export function longDay(time: string | Date): string {
  // Made when it is first needed: neither a server that starts nor a page that shows no day waits for it.
  format ??= new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });
  return format.format(new Date(time));
}
