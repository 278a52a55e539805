import en from 'zod/v4/locales/en.js';

/** Says what a schema expected, where it has no words of its own; zod/mini brings none, which keeps browsers light. */
export const ZOD_MESSAGES = { error: en().localeError };
