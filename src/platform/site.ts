/** What every page of every document knows: the company and the pictures that can be had in several sizes. */
import { createContext, useContext } from 'react';

/** One row of content/pictures/manifest.json; without `widths` the file is served as it is. */
export interface PictureVariants {
  width: number;
  height: number;
  version: string;
  widths?: number[] | null;
  formats?: string[];
}

/** `company` is declared by the feature of that name. */
export interface Site {
  /** Address such as '/pictures/hero-1.jpg' → its variants. */
  pictures: Record<string, PictureVariants | undefined>;
  /** The site's own origin, for canonical addresses. */
  publicUrl: string;
}

const SiteContext = createContext<Site | null>(null);
export const SiteProvider = SiteContext.Provider;

export function useSite(): Site {
  const site = useContext(SiteContext);
  if (!site) throw new Error('no SiteProvider');
  return site;
}

/** What the server put into this document for its script. Both are of one build, for the document names the script. */
export function readPageData<Data>(): Data {
  return JSON.parse(document.getElementById('page-data')?.textContent ?? '');
}
