/** The sections of the home page that the navbar leads to, in its order. */
export const SITE_SECTIONS = [
  { id: 'services', label: 'Services' },
  { id: 'solutions', label: 'Solutions' },
  { id: 'about', label: 'About' },
  { id: 'news', label: 'News' },
  { id: 'pricing', label: 'Pricing' },
  { id: 'contact', label: 'Contact' },
] as const;
