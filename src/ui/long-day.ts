const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });

/** 'May 1, 2025', on the reader's clock; `time` as an answer tells it, or a Date. */
export function longDay(time: string | Date): string {
  return format.format(new Date(time));
}
