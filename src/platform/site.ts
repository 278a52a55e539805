/** What every page can use: the company, the site's origin, and the pictures with their sizes. */
import { createContext, useContext } from 'react';
import * as z from 'zod/mini';

/** content/pictures/manifest.json, by path. A function, so that bundlers drop it for browsers. */
export const picturesSchema = () =>
  z.record(
    z.string(),
    z.object({
      width: z.int(),
      height: z.int(),
      version: z.string(),
      widths: z.optional(z.array(z.int())),
    }),
  );

export type Pictures = z.output<ReturnType<typeof picturesSchema>>;
export type PictureVariants = Pictures[string];

/** The formats in which a picture with `widths` exists besides its own, the smallest first. */
export const PICTURE_FORMATS = ['avif', 'webp'] as const;

/** The path of a picture in another size and format. */
export function variantPath(image: string, width: number, format: string): string {
  return image.replace(/\.\w+$/, `-${width}.${format}`);
}

/** The company feature adds `company` by declaration merging. */
export interface PublicSite {
  pictures: Pictures;
  publicUrl: string;
  /** Whether emails can be sent. */
  mail: boolean;
}

const SiteContext = createContext<PublicSite | null>(null);
export const SiteProvider = SiteContext.Provider;

export function useSite(): PublicSite {
  const site = useContext(SiteContext);
  if (!site) throw new Error('no SiteProvider');
  return site;
}
