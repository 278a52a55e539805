/** A key that nobody else makes. `crypto.randomUUID` is missing in pages that came without encryption. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
