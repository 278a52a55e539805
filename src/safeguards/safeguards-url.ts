export const RESULT = '#result';
export const stepOf = (id: string) => `#q-${id}`;
