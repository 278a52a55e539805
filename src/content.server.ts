/** Everything under content/, read and checked at start. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import {
  type AddOnRows,
  addOnsSchema,
  type Plan,
  plansSchema,
  type Service,
  type Solution,
  servicesSchema,
  solutionsSchema,
  type Testimonial,
  testimonialsSchema,
} from './catalogue/catalogue.ts';
import { pricesInForce } from './catalogue/pricing.ts';
import { type Company, companySchema } from './company/company.ts';
import { type Slide, slidesSchema } from './home/slide.ts';
import { ContentReader } from './platform/content-file.server.ts';
import type { PictureVariants } from './platform/site.ts';

export interface Content {
  folder: string;
  company: Company;
  slides: Slide[];
  services: Service[];
  solutions: Solution[];
  plans: Plan[];
  testimonials: Testimonial[];
  addOns: AddOnRows;
  pictures: Record<string, PictureVariants>;
}

const picturesSchema = z.record(
  z.string(),
  z.object({
    width: z.int(),
    height: z.int(),
    version: z.string(),
    widths: z.optional(z.array(z.int())),
    formats: z.optional(z.array(z.string())),
  }),
);

/** Reads the folder; throws an InvalidContent that lists every fault with its file and field. */
export function readContent(folder: string): Content {
  const reader = new ContentReader(folder);
  const read = {
    company: reader.json('company.json', companySchema),
    slides: reader.json('slides.json', slidesSchema),
    services: reader.json('catalogue/services.json', servicesSchema),
    solutions: reader.json('catalogue/solutions.json', solutionsSchema),
    plans: reader.json('catalogue/plans.json', plansSchema),
    testimonials: reader.json('catalogue/testimonials.json', testimonialsSchema),
    addOns: reader.json('catalogue/add-ons.json', addOnsSchema),
    pictures: reader.json('pictures/manifest.json', picturesSchema),
  };
  for (const name of ['services', 'solutions', 'plans', 'testimonials'] as const) {
    refuseTwins(reader, `catalogue/${name}.json`, read[name] ?? []);
  }
  if (read.addOns) checkAddOns(reader, read.addOns);
  checkPictures(reader, folder, 'slides.json', read.slides ?? []);
  checkPictures(reader, folder, 'catalogue/services.json', read.services ?? []);
  checkPictures(reader, folder, 'catalogue/solutions.json', read.solutions ?? []);
  reader.finish();
  return {
    folder,
    ...(read as Required<{ [Key in keyof typeof read]: NonNullable<(typeof read)[Key]> }>),
  };
}

function refuseTwins(reader: ContentReader, file: string, rows: readonly { id: number }[]): void {
  const seen = new Set<number>();
  rows.forEach(({ id }, index) => {
    if (seen.has(id)) reader.faults.push(`${file}: ${index}.id: ${id} is taken by an earlier row`);
    seen.add(id);
  });
}

function checkAddOns(reader: ContentReader, addOns: AddOnRows): void {
  try {
    pricesInForce(addOns, new Date());
  } catch (error) {
    reader.faults.push(`catalogue/add-ons.json: ${error instanceof Error ? error.message : error}`);
  }
}

/** A picture of ours that is missing would be a hole in a page; a remote one is looked at by nobody but the browser. */
function checkPictures(
  reader: ContentReader,
  folder: string,
  file: string,
  rows: readonly { image?: string }[],
): void {
  rows.forEach(({ image }, index) => {
    if (image === undefined || URL.canParse(image)) return;
    if (!image.startsWith('/pictures/') || !existsSync(join(folder, image))) {
      reader.faults.push(`${file}: ${index}.image: there is no file ${image} under content/`);
    }
  });
}
