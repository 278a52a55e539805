import { type PictureVariants, type Site, useSite } from '../platform/site.ts';

/** The full address of a picture, for those who see it outside of the site. */
export function pictureUrl(image: string, { pictures, publicUrl }: Site): string {
  return new URL(pictureAddress(image, pictures[image]), publicUrl).href;
}

interface PictureProps {
  /** '/pictures/…' as it stands in content/, or an address on another host. */
  image: string;
  alt: string;
  /** The `sizes` of the picture in the layout, such as '(min-width: 64rem) 25vw, 100vw'. */
  sizes: string;
  className?: string;
  /** The picture that is seen first: fetched at once, everything else when it comes near. */
  first?: boolean;
}

/** A picture of content/ in the best format and size the browser can use, with its room kept free. */
export function Picture({ image, alt, sizes, className, first = false }: PictureProps) {
  const variants = useSite().pictures[image];
  const img = (
    <img
      src={pictureAddress(image, variants)}
      alt={alt}
      width={variants?.width ?? 1200}
      height={variants?.height ?? 800}
      className={className}
      loading={first ? 'eager' : 'lazy'}
      decoding={first ? 'auto' : 'async'}
      fetchPriority={first ? 'high' : 'auto'}
    />
  );
  if (!variants?.widths) return img;
  return (
    <picture className="contents">
      {(['avif', 'webp'] as const).map((format) => (
        <source
          key={format}
          type={`image/${format}`}
          srcSet={srcSet(image, variants, format)}
          sizes={sizes}
        />
      ))}
      {img}
    </picture>
  );
}

export function srcSet(
  image: string,
  { widths, version }: PictureVariants,
  format: string,
): string {
  const base = image.replace(/\.\w+$/, '');
  return (widths ?? [])
    .map((width) => `${base}-${width}.${format}?v=${version} ${width}w`)
    .join(', ');
}

/** Where the picture is served as it is; with its version when it is one of ours that is listed. */
export function pictureAddress(image: string, variants: PictureVariants | undefined): string {
  return variants ? `${image}?v=${variants.version}` : sized(image);
}

/** A remote picture is requested in a size and format that suit a card; our own addresses are used as they are. */
function sized(image: string): string {
  if (image.startsWith('/') || !URL.canParse(image)) return image;
  const url = new URL(image);
  url.searchParams.set('w', '1200');
  url.searchParams.set('fm', 'webp');
  return url.href;
}
