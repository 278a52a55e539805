/** 'America/New_York' → 'ET', whatever the season. */
export function zoneName(timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortGeneric' });
  return parts.formatToParts(0).find((part) => part.type === 'timeZoneName')?.value ?? timeZone;
}

export function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone: name }));
  } catch {
    return false;
  }
}
