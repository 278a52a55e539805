/** What tests read from a page's HTML. React's output is uniform enough for regular expressions. */
export type PageHtml = ReturnType<typeof readHtml>;

export function readHtml(html: string) {
  const elements = [
    ...html.matchAll(/<([a-z][a-z0-9]*)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*\/?>/gi),
  ].map(([, tag = '', attributes = '']) => ({ tag, attributes: readAttributes(attributes) }));
  const named = (tag: string) => elements.filter((element) => element.tag === tag);
  const attribute = (tag: string, name: string) =>
    named(tag).flatMap(({ attributes }) => attributes.get(name) ?? []);
  const linkElements = named('link').map(({ attributes }) => attributes);
  return {
    title: textOf(/<title>(.*?)<\/title>/s.exec(html)?.[1] ?? ''),
    /** The `content` of meta elements, by name or property. */
    meta: new Map(
      named('meta').map(({ attributes }) => [
        attributes.get('name') ?? attributes.get('property') ?? '',
        attributes.get('content') ?? '',
      ]),
    ),
    canonical: linkElements.find((link) => link.get('rel') === 'canonical')?.get('href'),
    headings: [...html.matchAll(/<h([1-6])[^>]*>(.*?)<\/h\1>/gs)].map(([, level, inside]) => ({
      level: Number(level),
      text: textOf(inside ?? ''),
    })),
    ids: elements.flatMap(({ attributes }) => attributes.get('id') ?? []),
    links: [...html.matchAll(/<a\s([^>]*)>(.*?)<\/a>/gs)].map(
      ([, attributes = '', inside = '']) => {
        const read = readAttributes(attributes);
        return { href: read.get('href') ?? '', rel: read.get('rel'), text: textOf(inside) };
      },
    ),
    /** URLs of everything the page loads: pictures in every size, scripts, styles, icons, feeds. */
    loads: [
      ...attribute('img', 'src'),
      ...attribute('script', 'src'),
      ...[
        ...attribute('img', 'srcSet'),
        ...attribute('source', 'srcSet'),
        ...attribute('link', 'imageSrcSet'),
      ].flatMap((set) => set.split(', ').map((each) => each.split(' ')[0] ?? '')),
      ...linkElements
        .filter((link) => link.get('rel') !== 'canonical')
        .flatMap((link) => link.get('href') ?? []),
    ],
    structured: [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(
      ([, json]) => JSON.parse(json ?? ''),
    ),
    text: textOf(html.replace(/<(script|style)\b.*?<\/\1>/gs, '')),
  };
}

function readAttributes(attributes: string): Map<string, string> {
  return new Map(
    [...attributes.matchAll(/([\w:-]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [
      name,
      unescaped(value),
    ]),
  );
}

function textOf(html: string): string {
  return unescaped(html.replace(/<!--.*?-->/gs, '').replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');
}

/** The data embedded in a page for its script. */
export function pageDataIn(html: string) {
  const [, json = ''] = /id="page-data">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json);
}
