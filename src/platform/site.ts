/** What every page can use: the company, the site's origin, and the pictures with their sizes. */
import { createContext, useContext } from 'react';
import * as z from 'zod/mini';

/** An entry of content/pictures/manifest.json; without `widths` the file exists in its original size only. */
const pictureVariants = z.object({
  width: z.int(),
  height: z.int(),
  version: z.string(),
  widths: z.optional(z.array(z.int())),
});
export type PictureVariants = z.output<typeof pictureVariants>;

/** By path: '/pictures/hero-1.jpg'. */
export const pictureManifest = z.record(z.string(), pictureVariants);

/** The company feature adds `company` by declaration merging. */
export interface Site {
  pictures: z.output<typeof pictureManifest>;
  /** The site's own origin, for canonical URLs. */
  publicUrl: string;
}

const SiteContext = createContext<Site | null>(null);
export const SiteProvider = SiteContext.Provider;

export function useSite(): Site {
  const site = useContext(SiteContext);
  if (!site) throw new Error('no SiteProvider');
  return site;
}

/** The data that the server embedded in this document. Unchecked: document and script always come from one build. */
export function readPageData<Data>(): Data {
  return JSON.parse(document.getElementById('page-data')?.textContent ?? '');
}
