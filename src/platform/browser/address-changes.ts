/** The window's events that come with a new address in the bar; the first two are wouter's own. */
export const ADDRESS_CHANGES = ['pushState', 'replaceState', 'popstate'];
