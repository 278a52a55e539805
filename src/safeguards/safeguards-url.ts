/** The fragments of the self-check's parts in its URL. */
export const RESULT = '#result';
export const stepOf = (id: string) => `#q-${id}`;
