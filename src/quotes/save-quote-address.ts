/** At the end of the checkout's address it opens the form that saves the choice as a quote. */
export const SAVE_QUOTE_FRAGMENT = '#save-quote';
