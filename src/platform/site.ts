/** What every page can use: the company, the site's origin, and the pictures with their sizes. */
import { createContext, useContext } from 'react';

/** An entry of content/pictures/manifest.json; without `widths` the file exists in its original size only. */
export interface PictureVariants {
  width: number;
  height: number;
  version: string;
  widths?: number[] | null;
  formats?: string[];
}

/** The company feature adds `company` by declaration merging. */
export interface Site {
  /** By path: '/pictures/hero-1.jpg'. */
  pictures: Record<string, PictureVariants | undefined>;
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
