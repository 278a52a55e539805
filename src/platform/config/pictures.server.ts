/** The pictures under content/: what is known of each, and whether those that are named are there. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { ContentReader } from './content-file.server.ts';

export const picturesSchema = z.record(
  z.string(),
  z.object({
    width: z.int(),
    height: z.int(),
    version: z.string(),
    widths: z.optional(z.array(z.int())),
    formats: z.optional(z.array(z.string())),
  }),
);

/** A picture of ours that is missing would be a hole in a page; a remote one is looked at by nobody but the browser. */
export function checkPicture(
  reader: ContentReader,
  folder: string,
  where: string,
  image: string | undefined,
): void {
  if (image === undefined || URL.canParse(image)) return;
  if (!image.startsWith('/pictures/') || !existsSync(join(folder, image))) {
    reader.faults.push(`${where}: there is no file ${image} under content/`);
  }
}
