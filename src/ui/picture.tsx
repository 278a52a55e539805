import {
  PICTURE_FORMATS,
  type PictureVariants,
  type PublicSite,
  useSite,
  variantPath,
} from '../platform/site.ts';

/** The absolute URL of a picture, for feeds and social media. */
export function pictureUrl(image: string, { pictures, publicUrl }: PublicSite): string {
  return new URL(pictureAddress(image, pictures[image]), publicUrl).href;
}

interface PictureProps {
  /** '/pictures/…' as in content/, or a URL on another host. */
  image: string;
  alt: string;
  /** The `sizes` attribute, such as '(min-width: 64rem) 25vw, 100vw'. */
  sizes: string;
  className?: string;
  /** Above the fold: fetched at once. Other pictures load lazily. */
  first?: boolean;
}

/** A picture in the browser's best format and size. Width and height prevent a layout shift. */
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
      {PICTURE_FORMATS.map((format) => (
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

/** In a page's head, so that the picture is fetched before all else; null without variants. */
export function PicturePreload(props: { image: string; sizes: string; site: PublicSite }) {
  const { image, sizes, site } = props;
  const variants = site.pictures[image];
  const [format] = PICTURE_FORMATS;
  if (!variants?.widths) return null;
  return (
    <link
      rel="preload"
      as="image"
      type={`image/${format}`}
      imageSrcSet={srcSet(image, variants, format)}
      imageSizes={sizes}
      fetchPriority="high"
    />
  );
}

function srcSet(image: string, { widths, version }: PictureVariants, format: string): string {
  return (widths ?? [])
    .map((width) => `${variantPath(image, width, format)}?v=${version} ${width}w`)
    .join(', ');
}

/** The URL of the picture itself, with its version if it is one of ours. */
export function pictureAddress(image: string, variants: PictureVariants | undefined): string {
  return variants ? `${image}?v=${variants.version}` : sized(image);
}

/** Asks a remote image service for a card's size. Our own paths stay as they are. */
function sized(image: string): string {
  if (image.startsWith('/') || !URL.canParse(image)) return image;
  const url = new URL(image);
  url.searchParams.set('w', '1200');
  url.searchParams.set('fm', 'webp');
  return url.href;
}
