/** Numbers that a visitor can name on the phone. */
export function contactReference(id: number): string {
  return `M-${id}`;
}

export function chatReference(id: number): string {
  return `C-${id}`;
}

/** The id in a reference number, or undefined for other words. */
export function readReference(words: string): number | undefined {
  const [, id] = /^[a-z]{1,3}-0*([1-9]\d{0,8})$/i.exec(words) ?? [];
  return id === undefined ? undefined : Number(id);
}
