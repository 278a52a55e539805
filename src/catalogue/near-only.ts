/**
 * The frame of a lazy picture, of a fixed size: browsers fetch such pictures thousands of pixels ahead, and of what is not
 * drawn yet none. Most visitors of a phone never swipe to the last.
 */
export const NEAR_ONLY = 'overflow-hidden [content-visibility:auto]';
