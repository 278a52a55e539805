import type { Locator, Page } from 'playwright-core';

/** Fills in the fields with these labels. */
export async function fillFields(
  form: Page | Locator,
  fields: Record<string, string>,
): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await form.getByLabel(label).fill(text);
}

/** Sets a field's text as some password managers do: without an event. For `Locator.evaluate`. */
export function writeSilently(field: Element, text: string): void {
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value') ?? {};
  set?.call(field, text);
}
