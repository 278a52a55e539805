/** The frame of the HTML that the server sends: head, data for the browser, and the place of the app. */
import type { ReactNode } from 'react';
import type { BuiltAssets } from '../platform/http/assets.server.ts';

interface DocumentProps {
  /** Addresses of what the HTML must name. */
  assets: ReturnType<BuiltAssets['entry']>;
  /** Title, description and what else the head says of this page. */
  head: ReactNode;
  /** What the browser needs to take over; never anything personal, for the page is the same for everybody. */
  data: object;
  /** What is said when the script never arrives. */
  failure?: ReactNode;
  /** Data for search engines, each a schema.org object. */
  structuredData?: readonly object[];
}

export function Document({
  assets,
  head,
  data,
  failure = 'Part of this page didn’t load. Please reload it.',
  structuredData = [],
}: DocumentProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, interactive-widget=resizes-content"
        />
        <meta name="color-scheme" content="light dark" />
        {head}
        {/* The bar's ground in ui/theme.css, light and dark. */}
        {[
          ['light', '#ffffff'],
          ['dark', '#14202c'],
        ].map(([scheme, colour]) => (
          <meta
            key={scheme}
            name="theme-color"
            content={colour}
            media={`(prefers-color-scheme:${scheme})`}
            data-scheme={scheme}
          />
        ))}
        {/* Shows a chosen theme before anything is painted; after the styles, it would wait for them. */}
        <script {...assets.theme} />
        {assets.fonts.map((href) => (
          <link key={href} rel="preload" as="font" type="font/woff2" href={href} crossOrigin="" />
        ))}
        {assets.styles.map((style) => (
          <link key={style.href} rel="stylesheet" {...style} />
        ))}
        <script type="module" fetchPriority="low" {...assets.start} />
        {structuredData.map((thing) => (
          <script key={safeJson(thing)} type="application/ld+json">
            {safeJson(thing)}
          </script>
        ))}
        <link rel="icon" href="/pictures/favicon.ico" sizes="32x32" />
        <link rel="icon" href="/pictures/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/pictures/apple-touch-icon.png" />
        <link rel="manifest" href="/site.webmanifest" />
      </head>
      <body>
        <div id="root" />
        <p role="alert" className="script-failure">
          {failure}
        </p>
        <script type="application/json" id="page-data">
          {safeJson(data)}
        </script>
        <script type="application/json" id="page-scripts">
          {safeJson(assets.scripts)}
        </script>
      </body>
    </html>
  );
}

/** JSON that cannot end its script element, whatever text is in it. */
function safeJson(value: object): string {
  return JSON.stringify(value).replace(/</g, '\\u003c');
}
