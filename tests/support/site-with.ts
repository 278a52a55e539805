import type { Site } from '../../src/site.server.ts';

/** For code that is called directly: only the parts of a site that it uses. */
export const siteWith = (parts: Partial<Site>): Site => parts as Site;
