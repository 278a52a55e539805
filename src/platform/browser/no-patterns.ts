/**
 * Takes the place of `regexparam` in the build (vite.config.ts): wouter would match routes with it, but every document
 * finds its page by the whole path, so no pattern is ever parsed.
 */
export function parse(): never {
  throw new Error('no patterns here');
}
