export interface FooterLink {
  label: string;
  href: string;
}

export const QUICK_LINKS: readonly FooterLink[] = [
  { label: 'About Us', href: '/#about' },
  { label: 'Pricing', href: '/#pricing' },
  { label: 'News', href: '/news' },
  { label: 'Contact', href: '/#contact' },
  { label: 'Checkout', href: '/checkout' },
  { label: 'Resources', href: '/resources/' },
];

export const SERVICE_LINKS: readonly FooterLink[] = [
  { label: 'IT Managed Services', href: '/#services' },
  { label: 'Network Support & Maintenance', href: '/#services' },
  { label: 'Cybersecurity Services', href: '/#services' },
  { label: 'Cloud Services', href: '/#services' },
  { label: 'VoIP Services', href: '/#services' },
  { label: 'IT Consulting', href: '/#services' },
];

export const LEGAL_LINKS: readonly FooterLink[] = [
  { label: 'Privacy Policy', href: '/privacy-policy' },
  { label: 'Terms of Service', href: '/terms-of-service' },
  { label: 'Security Policy', href: '/security-policy' },
];
