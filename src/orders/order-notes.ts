/** How notes begin that screens look for. */
export const RENEWED = 'Renewed';
export const CHANGED = 'Changed by the customer';
